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
      ['a negative visibility timeout is refused', 'it takes it'],
      ['a visibility timeout is at most twelve hours', 'it has no limit'],
      ['the visibility timeout of a visible message cannot be changed', 'it changes it'],
      ['deleting a message again succeeds', 'it answers ReceiptHandleIsInvalid'],
      ['an empty batch is refused', 'it takes it'],
      ['the id of an entry has letters, digits, - and _', 'it takes any'],
      ['a queue can be purged once a minute', 'it purges it again'],
      ['an empty redrive policy removes it', 'it refuses it'],
      ['a dead-letter queue must have the same type', 'it takes either'],
      ['a dead-letter queue can refuse source queues', 'it has no RedriveAllowPolicy'],
      ['a new queue has the defaults of SQS', 'it does not say MessageRetentionPeriod'],
      ['a message can have 1 MiB by default', 'it takes 256 KiB'],
      ['attributes count towards the size of a message', 'it takes 256 KiB'],
      ['a queue can have a lower size limit', 'it has no MaximumMessageSize'],
      ['an attribute out of its range is refused', 'it takes it'],
      ['a character outside XML is refused', 'it answers InvalidAttributeValue'],
    ]),
  ],
  [
    miniStack,
    new Map([
      ['a visibility timeout is at most twelve hours', 'it has no limit'],
      ['a negative visibility timeout is refused', 'it takes it'],
      ['the visibility timeout of a visible message cannot be changed', 'it changes it'],
      ['deleting a message again succeeds', 'it answers ReceiptHandleIsInvalid'],
      ['a delay is at most 15 minutes', 'it has no limit'],
      ['an invalid entry of a batch fails on its own', 'it has no limit for delays'],
      ['a queue can be purged once a minute', 'it purges it again'],
      ['a dead-letter queue lists its source queues', 'it has no ListDeadLetterSourceQueues'],
      ['a dead-letter queue must have the same type', 'it takes either'],
      ['a dead-letter queue can refuse source queues', 'it has no RedriveAllowPolicy'],
      ['attributes count towards the size of a message', 'it counts only the body'],
      ['an unknown attribute is refused', 'it keeps it'],
      ['a name has at most 80 letters, digits, - and _', 'it takes any'],
    ]),
  ],
  [
    moto,
    new Map([
      ['a negative visibility timeout is refused', 'it takes it'],
      ['the visibility timeout of a visible message cannot be changed', 'it changes it'],
      ['a dead letter names its source queue', 'it does not'],
      ['maxReceiveCount is from 1 to 1,000', 'it takes any number'],
      ['a dead-letter queue can refuse source queues', 'it has no RedriveAllowPolicy'],
      ['attributes count towards the size of a message', 'it counts only the body'],
      ['an attribute out of its range is refused', 'it takes it'],
      ['an unknown attribute is refused', 'it keeps it'],
      ['a character outside XML is refused', 'it takes it'],
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
