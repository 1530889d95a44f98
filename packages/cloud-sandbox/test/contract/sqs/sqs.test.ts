import { SQSClient } from '@aws-sdk/client-sqs';
import { createSqs } from '../../../src/aws/sqs/sqs.ts';
import { createRandom } from '../../../src/simulation/random.ts';
import { contract } from '../../../truth/contract.ts';
import { createManualClock } from '../../aws/support/manual-clock.ts';
import { accountId, createTestFront, region } from '../../aws/support/test-front.ts';
import { sqsCases } from './cases.ts';

contract({
  area: 'SQS standard queues',
  world: 'sandbox',
  cases: sqsCases,
  open: () => {
    const clock = createManualClock();
    const sqs = createSqs({ clock, random: createRandom(2), accountId, region });
    const { clientOptions } = createTestFront({ services: [sqs], clock });
    return {
      client: new SQSClient(clientOptions),
      pass: async (seconds) => clock.advance(seconds),
    };
  },
});
