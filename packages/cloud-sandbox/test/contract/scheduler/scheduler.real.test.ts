import { setTimeout as sleep } from 'node:timers/promises';
import { SchedulerClient } from '@aws-sdk/client-scheduler';
import { SQSClient } from '@aws-sdk/client-sqs';
import { clientOptions, miniStack, running } from '../../../real/emulators/emulators.ts';
import { contract } from '../../../truth/contract.ts';
import { schedulerCases } from './cases.ts';
import { anyRole } from './world.ts';

/** Where MiniStack does otherwise than AWS documents, and the sandbox sides with AWS. It looks for due schedules every 10 s. */
const differs: ReadonlyMap<string, string> = new Map([
  ['schedules are listed in pages, each schedule once', 'it gives no token: what does not fit is not listed'],
  ['an invalid expression is refused', 'it takes them'],
  ['an unknown time zone is refused', 'it takes it'],
  ['a flexible window has 1 to 1,440 minutes', 'it takes any'],
  ['a name has at most 64 letters, digits and -_.', 'it has no limit'],
  ['a schedule runs at the local time of its time zone', 'it takes every time as UTC'],
  [
    'an input can contain the schedule and its time as context attributes',
    'it sends the input as it was written',
  ],
]);

const start = running(miniStack);
contract({
  area: 'EventBridge Scheduler',
  world: miniStack.name,
  cases: schedulerCases,
  open: async () => {
    const options = clientOptions(await start());
    return {
      client: new SchedulerClient(options),
      sqs: new SQSClient(options),
      clock: { now: () => Date.now() },
      roleArn: anyRole,
      pass: (seconds) => sleep(seconds * 1000),
    };
  },
  differs,
  missing: miniStack.missing,
});
