import { contract } from '../../../truth/contract.ts';
import { createSqsFixture } from '../../aws/support/queue-fixture.ts';
import { type FifoWorld, fifoCases } from './fifo-cases.ts';

function simulated(): FifoWorld {
  const { clock, queue } = createSqsFixture();
  let number = 0;
  return {
    queue: async (attributes = {}) => {
      number += 1;
      const name = `work-${number}.fifo`;
      const defaults = { FifoQueue: 'true', ContentBasedDeduplication: 'true', VisibilityTimeout: '30' };
      const made = await queue(name, { ...defaults, ...attributes });
      return { ...made, arn: `arn:aws:sqs:eu-west-1:123456789012:${name}` };
    },
    pass: async (seconds) => clock.advance(seconds),
  };
}

contract({ area: 'SQS FIFO queues', world: 'sandbox', cases: fifoCases, open: simulated });
