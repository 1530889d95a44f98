import { createSqs } from '@drover/cloud-sandbox/aws';
import { createRandom } from '@drover/cloud-sandbox/simulation';
import {
  type Cloud,
  createCloud,
  createGroup,
  firstInstanceId,
  putHook,
  terminate,
} from '@drover/cloud-sandbox/test/aws/support/cloud.ts';
import { accountId, createTestFront, region } from '@drover/cloud-sandbox/test/aws/support/test-front.ts';
import { beforeEach, expect, test } from 'vitest';
import RefuseRemoval from '../../../scripts/removal/refuse-removal.ts';

class OslsError extends Error {
  readonly code: string;
  constructor(message: string, code: string) {
    super(message);
    this.code = code;
  }
}

let cloud: Cloud;
let sqs: ReturnType<typeof createSqs>;
beforeEach(() => {
  cloud = createCloud();
  sqs = createSqs({ clock: cloud.clock, random: createRandom(2), accountId, region });
  createGroup(cloud, {
    Tags: [{ Key: 'kubernetes.io/cluster/drover', Value: 'owned' }],
  });
});

/** What `serverless remove` runs before it touches anything. */
function remove(): Promise<void> | undefined {
  const { clientOptions } = createTestFront({ services: [sqs, cloud.autoScaling], clock: cloud.clock });
  const plugin = new RefuseRemoval({
    classes: { Error: OslsError },
    service: { provider: { environment: { DROVER_CLUSTER: 'drover' } } },
    getProvider: () => ({
      naming: { getStackName: () => 'drover-dev' },
      getAwsSdkV3Config: async () => clientOptions,
    }),
  });
  return plugin.hooks['before:remove:remove']?.();
}

test('allows the removal if nothing waits', async () => {
  sqs.operations.CreateQueue({ QueueName: 'drover-dev-LeavingQueue-1' });
  await expect(remove()).resolves.toBeUndefined();
});

test('refuses the removal while an instance waits on a hook, and names it', async () => {
  putHook(cloud);
  const instanceId = firstInstanceId(cloud);
  terminate(cloud, instanceId);
  await expect(remove()).rejects.toThrow(`${instanceId} of workers is in Terminating:Wait`);
});

test('refuses the removal while an instance waits on its way to a warm pool', async () => {
  cloud.autoScaling.operations.PutWarmPool({
    AutoScalingGroupName: 'workers',
    InstanceReusePolicy: { ReuseOnScaleIn: true },
  });
  cloud.advance(60);
  putHook(cloud);
  const instanceId = firstInstanceId(cloud);
  cloud.autoScaling.operations.SetDesiredCapacity({ AutoScalingGroupName: 'workers', DesiredCapacity: 0 });
  cloud.advance(10);
  await expect(remove()).rejects.toThrow(`${instanceId} of workers is in Warmed:Pending:Wait`);
});

test('ignores instances of other clusters', async () => {
  putHook(cloud);
  terminate(cloud, firstInstanceId(cloud));
  cloud.autoScaling.operations.DeleteTags({
    Tags: [
      { ResourceId: 'workers', ResourceType: 'auto-scaling-group', Key: 'kubernetes.io/cluster/drover' },
    ],
  });
  await expect(remove()).resolves.toBeUndefined();
});

test('refuses the removal while a queue of the stack holds a message, dead letters included', async () => {
  sqs.operations.CreateQueue({ QueueName: 'drover-dev-InboxDeadLetterQueue-1' });
  sqs.operations.CreateQueue({ QueueName: 'drover-prod-LeavingQueue-1' });
  sqs.controls.send('drover-prod-LeavingQueue-1', { MessageBody: 'not ours' });
  await expect(remove()).resolves.toBeUndefined();
  sqs.controls.send('drover-dev-InboxDeadLetterQueue-1', { MessageBody: 'parked' });
  await expect(remove()).rejects.toMatchObject({
    code: 'DROVER_STILL_WAITING',
    message: expect.stringContaining('drover-dev-InboxDeadLetterQueue-1 holds 1 message(s)'),
  });
});
