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
import type { RunningServer } from '../../../real/emulators/start-server.ts';
import { contract } from '../../../truth/contract.ts';
import { type FifoWorld, fifoCases } from './fifo-cases.ts';
import { openFifo } from './open-fifo.ts';

const manyOfOneGroup = 'a receive returns all messages of one group before those of the next group';
const expiredHandle = 'an expired receipt handle deletes nothing and is refused';
const sameAttempt = 'a repeated receive attempt returns the same messages';

/**
 * Where the emulators do otherwise than AWS documents, and the sandbox sides with AWS. Each is expected to fail, so that a
 * version that changes its manners is noticed.
 */
const differs: ReadonlyMap<Emulator, ReadonlyMap<string, string>> = new Map([
  [
    elasticMq,
    new Map([
      [
        'a group stays blocked until none of its messages is in flight',
        'it hands out the one that came back; the developer guide: "When messages that belong to a particular message group ID are invisible, no other consumer can process messages with the same message group ID"',
      ],
      [
        'deduplication with the scope messageGroup compares ids within a group only',
        'it has no DeduplicationScope',
      ],
      [
        expiredHandle,
        'it deletes; AWS answers "The receipt handle has expired" (aws/aws-sdk-js issues 1279 and 1750)',
      ],
      [
        sameAttempt,
        'it answers with new receipt handles; ReceiveMessage: "the same message set and receipt handles"',
      ],
    ]),
  ],
  [
    miniStack,
    new Map([
      [manyOfOneGroup, 'it hands them out in the order in which they were sent'],
      [expiredHandle, 'it deletes the message'],
      [sameAttempt, 'it does not look at the attempt'],
    ]),
  ],
  [
    moto,
    new Map([
      [manyOfOneGroup, 'it hands them out in the order in which they were sent'],
      [
        'a duplicate gets the id of the first message and is dropped, even if that was deleted',
        'it drops the message, but answers with an id of its own',
      ],
      [
        'deduplication with the scope messageGroup compares ids within a group only',
        'it has no DeduplicationScope',
      ],
      [expiredHandle, 'it deletes the message'],
      [sameAttempt, 'it does not look at the attempt'],
    ]),
  ],
]);

function worldOf(server: RunningServer): FifoWorld {
  const client = new SQSClient(clientOptions(server));
  return { queue: (attributes) => openFifo(client, attributes), pass: (seconds) => sleep(seconds * 1000) };
}

for (const emulator of [elasticMq, miniStack, moto]) {
  const server = running(emulator);
  contract({
    area: 'SQS FIFO queues',
    world: emulator.name,
    cases: fifoCases,
    open: async () => worldOf(await server()),
    differs: differs.get(emulator),
    missing: emulator.missing,
  });
}
