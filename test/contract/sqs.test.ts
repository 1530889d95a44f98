import { SQSClient } from '@aws-sdk/client-sqs';
import { createSqs } from '../../packages/cloud-sandbox/src/aws/sqs/sqs.ts';
import { createRandom } from '../../packages/cloud-sandbox/src/simulation/random.ts';
import { createManualClock } from '../../packages/cloud-sandbox/test/aws/support/manual-clock.ts';
import {
  accountId,
  createTestFront,
  region,
} from '../../packages/cloud-sandbox/test/aws/support/test-front.ts';
import { sqsCases } from './sqs-cases.ts';
import { contract } from './support/contract.ts';

contract({
  area: 'SQS standard queues',
  world: 'sandbox',
  cases: sqsCases,
  open: () => {
    const clock = createManualClock();
    const sqs = createSqs({ clock, random: createRandom(2), accountId, region });
    const { clientOptions, connection } = createTestFront({ services: [sqs], clock });
    return {
      client: new SQSClient(clientOptions),
      connection,
      pass: async (seconds) => clock.advance(seconds),
    };
  },
});
