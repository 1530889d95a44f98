import { GetScheduleGroupCommand } from '@aws-sdk/client-scheduler';
import { contract } from '../../../truth/contract.ts';
import { accountWorld, type OpenAccount, openAccount } from '../support/account.ts';
import { newName } from '../support/new-name.ts';
import { openSchedulerRole } from '../support/scheduler-role.ts';
import { schedulerCases } from './cases.ts';
import type { SchedulerWorld } from './world.ts';

/** "EventBridge Scheduler provides at-least-once event delivery" with a precision of 60 seconds (user guide, "What is"). */
const precisionSeconds = 75;

let role: ReturnType<typeof openSchedulerRole> | undefined;

async function openScheduler(account: OpenAccount): Promise<SchedulerWorld> {
  const { clients, region, speed, pass } = account;
  const { scheduler: client, sqs } = clients;
  role ??= openSchedulerRole(account, newName());
  const { roleArn, groupName } = await role;
  // A simulated account has its own time: a schedule of `at(...)` needs that of the account.
  const { CreationDate } = await client.send(new GetScheduleGroupCommand({ Name: groupName }));
  const offset = (CreationDate?.getTime() ?? Number.NaN) - speed * (await role).createdAt;
  const clock = { now: () => offset + speed * Date.now() };
  return { client, sqs, clock, pass, roleArn, region, precisionSeconds };
}

contract({
  ...accountWorld,
  area: 'EventBridge Scheduler',
  cases: schedulerCases,
  open: (signal) => openScheduler(openAccount(signal)),
  notApplicable: new Map([
    [
      'a name has at most 64 letters, digits and -_.',
      'a run makes no schedule whose name does not begin with its prefix',
    ],
  ]),
});
