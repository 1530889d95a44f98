import { SchedulerClient } from '@aws-sdk/client-scheduler';
import { SQSClient } from '@aws-sdk/client-sqs';
import { createScheduler } from '../../../src/aws/scheduler/scheduler.ts';
import { createSqs } from '../../../src/aws/sqs/sqs.ts';
import { createRandom } from '../../../src/simulation/random.ts';
import { contract } from '../../../truth/contract.ts';
import { createManualClock } from '../../aws/support/manual-clock.ts';
import { accountId, createTestFront, region } from '../../aws/support/test-front.ts';
import { schedulerCases } from './cases.ts';
import { anyRole, type SchedulerWorld } from './world.ts';

function simulated(): SchedulerWorld {
  const clock = createManualClock();
  const parts = { clock, random: createRandom(9), accountId, region };
  const sqs = createSqs(parts);
  const scheduler = createScheduler({
    ...parts,
    deliver: (arn, MessageBody, { messageGroupId }) =>
      sqs.controls.send(arn, { MessageBody, ...(messageGroupId && { MessageGroupId: messageGroupId }) }),
  });
  const { clientOptions } = createTestFront({ services: [scheduler, sqs], clock });
  return {
    client: new SchedulerClient(clientOptions),
    sqs: new SQSClient(clientOptions),
    clock,
    roleArn: anyRole,
    pass: async (seconds) => clock.advance(seconds),
  };
}

contract({ area: 'EventBridge Scheduler', world: 'sandbox', cases: schedulerCases, open: simulated });
