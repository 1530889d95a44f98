import { setTimeout as sleep } from 'node:timers/promises';
import { SQSClient } from '@aws-sdk/client-sqs';
import {
  clientOptions,
  type Emulator,
  elasticMq,
  miniStack,
  moto,
  running,
} from '../../../real/emulators/emulators.ts';
import { contract } from '../../../truth/contract.ts';
import { sqsCases } from './cases.ts';

/**
 * Where the emulators do otherwise than AWS documents, and the sandbox sides with AWS. Each is expected to fail, so that a
 * version that changes its manners is noticed.
 */
const differs: ReadonlyMap<Emulator, ReadonlyMap<string, string>> = new Map([
  [
    elasticMq,
    new Map([
      ['a visibility is not less than nothing', 'it takes it'],
      ['a visibility lasts twelve hours at most', 'it has no limit'],
      ['a message that is visible again has no visibility to change', 'it changes it'],
      ['to delete a message again is no mistake', 'it answers ReceiptHandleIsInvalid'],
      ['a batch is not empty', 'it takes it'],
      ['an id of an entry has letters, digits, - and _', 'it takes any'],
      ['a queue is purged once a minute', 'it purges it again'],
      ['a redrive policy is taken away by an empty one', 'it refuses it'],
      ['a dead-letter queue is of the same kind', 'it takes either'],
      ['a dead-letter queue may keep others out', 'it has no RedriveAllowPolicy'],
      ['a new queue has the defaults of SQS', 'it does not say MessageRetentionPeriod'],
      ['a message may have 1 MiB by default', 'it takes 256 KiB'],
      ['attributes count for the size of a message', 'it takes 256 KiB'],
      ['a queue may take less', 'it has no MaximumMessageSize'],
      ['an attribute out of its range is refused', 'it takes it'],
      ['a character that XML does not have is refused', 'it answers InvalidAttributeValue'],
    ]),
  ],
  [
    miniStack,
    new Map([
      ['a visibility lasts twelve hours at most', 'it has no limit'],
      ['a visibility is not less than nothing', 'it takes it'],
      ['a message that is visible again has no visibility to change', 'it changes it'],
      ['to delete a message again is no mistake', 'it answers ReceiptHandleIsInvalid'],
      ['a delay is 15 minutes at most', 'it has no limit'],
      ['an entry that cannot be sent fails by itself', 'it has no limit for delays'],
      ['a queue is purged once a minute', 'it purges it again'],
      ['a dead-letter queue knows whose it is', 'it has no ListDeadLetterSourceQueues'],
      ['a dead-letter queue is of the same kind', 'it takes either'],
      ['a dead-letter queue may keep others out', 'it has no RedriveAllowPolicy'],
      ['attributes count for the size of a message', 'it counts the body alone'],
      ['an attribute that is none is refused', 'it keeps it'],
      ['a name has at most 80 letters, digits, - and _', 'it takes any'],
    ]),
  ],
  [
    moto,
    new Map([
      ['a visibility is not less than nothing', 'it takes it'],
      ['a message that is visible again has no visibility to change', 'it changes it'],
      ['a dead letter says which queue it comes from', 'it does not'],
      ['the count of receives is from 1 to 1,000', 'it takes any number'],
      ['a dead-letter queue may keep others out', 'it has no RedriveAllowPolicy'],
      ['attributes count for the size of a message', 'it counts the body alone'],
      ['an attribute out of its range is refused', 'it takes it'],
      ['an attribute that is none is refused', 'it keeps it'],
      ['a character that XML does not have is refused', 'it takes it'],
      ['an empty message is refused', 'it takes it'],
    ]),
  ],
]);

for (const emulator of [elasticMq, miniStack, moto]) {
  const start = running(emulator);
  contract({
    area: 'SQS standard queues',
    world: emulator.name,
    cases: sqsCases,
    open: async () => {
      const server = await start();
      return {
        client: new SQSClient(clientOptions(server)),
        pass: (seconds) => sleep(seconds * 1000),
      };
    },
    differs: differs.get(emulator),
    missing: emulator.missing,
  });
}
