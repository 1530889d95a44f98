import { setTimeout as sleep } from 'node:timers/promises';
import { SQSClient } from '@aws-sdk/client-sqs';
import {
  clientOptions,
  elasticMq,
  miniStack,
  moto,
  running,
} from '@drover/cloud-sandbox/real/emulators/emulators.ts';
import { contract } from '@drover/cloud-sandbox/truth/contract.ts';
import { connectionTo } from '../../support/connection-to.ts';
import { passLoopCases } from './cases.ts';

for (const emulator of [elasticMq, miniStack, moto]) {
  const start = running(emulator);
  contract({
    area: 'The loop of passes on FIFO queues',
    world: emulator.name,
    cases: passLoopCases,
    open: async () => {
      const server = await start();
      return {
        client: new SQSClient(clientOptions(server)),
        connection: connectionTo(server),
        clock: { now: () => Date.now() },
        pass: (seconds) => sleep(seconds * 1000),
      };
    },
    missing: emulator.missing,
  });
}
