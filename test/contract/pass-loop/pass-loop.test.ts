import { SQSClient } from '@aws-sdk/client-sqs';
import { createSqs } from '@drover/cloud-sandbox/aws';
import { createRandom } from '@drover/cloud-sandbox/simulation';
import { createManualClock } from '@drover/cloud-sandbox/test/aws/support/manual-clock.ts';
import { accountId, createTestFront, region } from '@drover/cloud-sandbox/test/aws/support/test-front.ts';
import { contract } from '@drover/cloud-sandbox/truth/contract.ts';
import { passLoopCases } from './cases.ts';

contract({
  area: 'The loop of passes on FIFO queues',
  world: 'sandbox',
  cases: passLoopCases,
  open: () => {
    const clock = createManualClock();
    const sqs = createSqs({ clock, random: createRandom(3), accountId, region });
    const { clientOptions, connection } = createTestFront({ services: [sqs], clock });
    return {
      client: new SQSClient(clientOptions),
      connection,
      clock,
      pass: async (seconds) => clock.advance(seconds),
    };
  },
});
