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
import { beforeEach, describe, expect, test } from 'vitest';
import type { FakeStack } from './support/fake-stack.ts';
import { runHook } from './support/guard.ts';

let cloud: Cloud;
let sqs: ReturnType<typeof createSqs>;
beforeEach(() => {
  cloud = createCloud();
  sqs = createSqs({ clock: cloud.clock, random: createRandom(2), accountId, region });
  createGroup(cloud, {
    Tags: [{ Key: 'kubernetes.io/cluster/drover', Value: 'owned' }],
  });
});

const live: FakeStack = { stackName: 'drover-prod', tags: { 'drover.dev/cluster': 'drover' } };

/** What `serverless remove --stage prod` runs before it touches anything; the stage's file names another cluster than the stack. */
function remove(stack: FakeStack | undefined = live): Promise<void> {
  const { clientOptions } = createTestFront({ services: [sqs, cloud.autoScaling], clock: cloud.clock });
  return runHook('before:remove:remove', {
    command: 'remove',
    clusterName: 'of-the-file',
    stack,
    clientOptions,
  });
}

test('allows the removal if nothing waits', async () => {
  sqs.operations.CreateQueue({ QueueName: 'drover-prod-LeavingQueue-1' });
  await expect(remove()).resolves.toBeUndefined();
});

test('refuses the removal while an instance of the cluster in the stack’s tag waits on a hook, and names it', async () => {
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
  sqs.operations.CreateQueue({ QueueName: 'drover-prod-InboxDeadLetterQueue-1' });
  sqs.operations.CreateQueue({ QueueName: 'drover-dev-LeavingQueue-1' });
  sqs.operations.CreateQueue({ QueueName: 'drover-prod-b-LeavingQueue-1' });
  for (const other of ['drover-dev-LeavingQueue-1', 'drover-prod-b-LeavingQueue-1'])
    sqs.controls.send(other, { MessageBody: 'not ours' });
  await expect(remove()).resolves.toBeUndefined();
  sqs.controls.send('drover-prod-InboxDeadLetterQueue-1', { MessageBody: 'parked' });
  await expect(remove()).rejects.toMatchObject({
    code: 'DROVER_STILL_NEEDED',
    message: expect.stringContaining('drover-prod-InboxDeadLetterQueue-1 holds 1 message(s)'),
  });
});

test('refuses the removal while a message of a queue is delayed', async () => {
  sqs.operations.CreateQueue({ QueueName: 'drover-prod-LeavingQueue-1' });
  sqs.controls.send('drover-prod-LeavingQueue-1', { MessageBody: 'later', DelaySeconds: 600 });
  await expect(remove()).rejects.toMatchObject({
    message: expect.stringContaining('drover-prod-LeavingQueue-1 holds 1 message(s)'),
  });
});

test('refuses the removal of a stack that does not say which cluster it serves', async () => {
  await expect(remove({ stackName: 'drover-prod' })).rejects.toMatchObject({
    code: 'DROVER_NO_CLUSTER',
    message: expect.stringContaining('The stack drover-prod has no tag drover.dev/cluster'),
  });
});

test('has no objection to the removal of a stack that does not exist, or that was never created', async () => {
  putHook(cloud);
  terminate(cloud, firstInstanceId(cloud));
  await expect(remove({ stackName: 'drover-other' })).resolves.toBeUndefined();
  await expect(remove({ stackName: 'drover-prod', status: 'REVIEW_IN_PROGRESS' })).resolves.toBeUndefined();
});

describe('a stack with security groups', () => {
  const securityGroups = { ClusterClientSecurityGroup: 'sg-1', EtcdClientSecurityGroup: 'sg-2' };

  test('is removed if only its own groups and Lambda use them', async () => {
    const rules = [{ filter: 'ip-permission.group-id', names: 'sg-1', groupId: 'sg-2' }];
    const interfaces = [{ groupId: 'sg-1', id: 'eni-1', type: 'lambda' }];
    await expect(remove({ ...live, securityGroups, rules, interfaces })).resolves.toBeUndefined();
  });

  test('is not removed while something else refers to them, and each is named', async () => {
    const rules = [
      { filter: 'ip-permission.group-id', names: 'sg-1', groupId: 'sg-8' },
      { filter: 'egress.ip-permission.group-id', names: 'sg-2', groupId: 'sg-9' },
    ];
    const interfaces = [{ groupId: 'sg-2', id: 'eni-2', type: 'interface' }];
    const refusal = remove({ ...live, securityGroups, rules, interfaces });
    for (const line of [
      'an ingress rule of sg-8 (name-of-sg-8) admits ClusterClientSecurityGroup sg-1',
      'an egress rule of sg-9 (name-of-sg-9) names EtcdClientSecurityGroup sg-2',
      'the network interface eni-2 has EtcdClientSecurityGroup sg-2',
    ])
      await expect(refusal).rejects.toThrow(line);
  });
});
