import { RefusedDelivery } from '@drover/cloud-sandbox';
import { describe, expect, it } from 'vitest';
import {
  createDroverWorld,
  type DroverWorld,
  hookName,
  stateOf,
  terminate,
  withWorkers,
} from '../../local/world/drover-world.ts';
import { forgedWarning } from '../support/forged-warning.ts';
import { markOf, untilGone } from '../support/observed-instance.ts';
import { withHookTopic, withoutQueueStatement, withRoleStatement } from '../support/wiring.ts';

const queueNamed = ({ account }: DroverWorld, pattern: RegExp): string =>
  account.sqs.controls.queueNames().find((name) => pattern.test(name)) ?? '';

const arnOf = ({ account: { accountId, region } }: DroverWorld, service: string, name: string): string =>
  `arn:aws:${service}:${region}:${accountId}:${name}`;

/** What waits in a queue, as an operator would receive it. */
async function receive({ account }: DroverWorld, queueName: string) {
  const { Messages = [] } = await account.sqs.operations.ReceiveMessage({
    QueueUrl: account.sqs.controls.queueUrl(queueName),
    MaxNumberOfMessages: 10,
    MessageAttributeNames: ['All'],
  });
  return Messages;
}

const longHook = { name: hookName, heartbeatTimeoutSeconds: 3600 };
const inbox = /-InboxQueue$/;
const undelivered = /-UndeliveredQueue$/;

describe('an event rule that the policy of the inbox does not allow', () => {
  it('delivers nothing, tries once, and leaves the event in its dead-letter queue with the reason', async () => {
    const world = createDroverWorld({ editWiring: withoutQueueStatement(inbox, 'EventRules') });
    const [leaving = ''] = await withWorkers(world, { size: 1, hook: longHook });
    terminate(world, leaving, { replace: false });
    await world.timeline.pass(60);
    expect(stateOf(world, leaving)).toBe('Terminating:Wait');
    expect(world.lines.filter(({ message }) => message === 'intake')).toEqual([]);
    expect(world.problems).toContainEqual(expect.any(RefusedDelivery));
    const messages = await receive(world, queueNamed(world, undelivered));
    const rule = 'drover-dev-lifecycle-action';
    const [message] = messages.filter(({ Body }) => Body?.includes(leaving) && Body.includes('Lifecycle'));
    expect(message?.MessageAttributes).toMatchObject({
      RULE_ARN: { StringValue: arnOf(world, 'events', `rule/${rule}`) },
      TARGET_ARN: { StringValue: arnOf(world, 'sqs', queueNamed(world, inbox)) },
      ERROR_CODE: { StringValue: 'NO_PERMISSIONS' },
      ERROR_MESSAGE: { StringValue: expect.stringContaining('does not let events.amazonaws.com in') },
      RETRY_ATTEMPTS: { StringValue: '0' },
    });
    expect(world.account.events.metricsOf(rule)).toMatchObject({ delivered: 0, deadLettered: 1 });
  });

  it('loses the event if the policy of the dead-letter queue does not allow it either', async () => {
    const world = createDroverWorld({
      editWiring: (wiring) =>
        withoutQueueStatement(undelivered, 'EventRules')(withoutQueueStatement(inbox, 'EventRules')(wiring)),
    });
    const [leaving = ''] = await withWorkers(world, { size: 1, hook: longHook });
    terminate(world, leaving, { replace: false });
    await world.timeline.pass(60);
    expect(await receive(world, queueNamed(world, undelivered))).toEqual([]);
    expect(world.account.events.metricsOf('drover-dev-lifecycle-action')).toMatchObject({ dropped: 1 });
    await untilGone(world, leaving, 600);
  });
});

describe('a schedule', () => {
  it('runs nothing without the permission of its function', async () => {
    const world = createDroverWorld({
      editWiring: (wiring) => ({
        ...wiring,
        permissions: wiring.permissions.filter(({ functionArn }) => !functionArn.includes('sweep')),
      }),
    });
    await world.timeline.pass(601);
    expect(world.lines.filter(({ functionName }) => functionName === 'sweep')).toEqual([]);
    const messages = await receive(world, queueNamed(world, undelivered));
    expect(messages.map(({ MessageAttributes }) => MessageAttributes?.ERROR_CODE?.StringValue)).toEqual([
      'NO_PERMISSIONS',
      'NO_PERMISSIONS',
    ]);
  });
});

describe('a hook that notifies a topic', () => {
  const topicName = 'hooks';
  const topicArn = `arn:aws:sns:eu-west-1:123456789012:${topicName}`;
  const publishRole = { roleName: 'hook-publisher', action: 'sns:Publish' };

  async function withTopic(world: DroverWorld, Name = topicName) {
    const { account } = world;
    const { TopicArn } = account.sns.operations.CreateTopic({ Name });
    const role = account.iam.putRole({
      roleName: publishRole.roleName,
      policies: [{ Statement: [{ Effect: 'Allow', Action: publishRole.action, Resource: TopicArn }] }],
      trustPolicy: {
        Statement: [
          { Effect: 'Allow', Principal: { Service: 'autoscaling.amazonaws.com' }, Action: 'sts:AssumeRole' },
        ],
      },
    });
    account.sns.operations.Subscribe({
      TopicArn,
      Protocol: 'sqs',
      Endpoint: arnOf(world, 'sqs', queueNamed(world, inbox)),
    });
    return { targetArn: TopicArn, roleArn: role.arn };
  }

  it('reaches Drover through the topic that the deployment names', async () => {
    const world = createDroverWorld({ editWiring: withHookTopic(topicArn) });
    const [leaving = ''] = await withWorkers(world, { size: 1, hook: longHook });
    const { targetArn, roleArn } = await withTopic(world);
    notify(world, targetArn, roleArn);
    world.account.events.disturb({ lost: 1 });
    terminate(world, leaving, { replace: false });
    await untilGone(world, leaving, 120);
    expect(world.problems).toEqual([]);
  });

  it('lets a publisher take no node with a Spot warning, which is parked with its source', async () => {
    const world = createDroverWorld({ editWiring: withHookTopic(topicArn) });
    const [staying = ''] = await withWorkers(world, { size: 1, hook: longHook, spot: true });
    const { targetArn: TopicArn } = await withTopic(world);
    world.account.sns.operations.Publish({ TopicArn, Message: forgedWarning(world, staying) });
    await world.timeline.pass(120);
    expect(stateOf(world, staying)).toBe('InService');
    expect(markOf(world, staying)).toBeUndefined();
    const [parked] = await receive(world, queueNamed(world, /-InboxDeadLetterQueue$/));
    expect(parked?.Body).toContain('Notification');
    expect(parked?.MessageAttributes?.reason?.StringValue).toMatch(/source: aws\.ec2, .*EventBridge/);
  });

  it.each([topicName, 'drover-hooks-drover'])(
    'does not reach Drover through the topic %s if the deployment names no topic',
    async (name) => {
      const world = createDroverWorld();
      const [leaving = ''] = await withWorkers(world, { size: 1, hook: longHook });
      const { targetArn, roleArn } = await withTopic(world, name);
      notify(world, targetArn, roleArn);
      await world.timeline.settle();
      await world.timeline.pass(1);
      expect(world.account.sns.controls.failures()).toMatchObject([
        { reason: expect.stringContaining('does not let sns.amazonaws.com in') },
      ]);
      expect(stateOf(world, leaving)).toBe('InService');
    },
  );
});

describe('a hook that notifies the inbox', () => {
  const roleName = 'drover-dev-hook-notifications';
  const roleOf = ({ account }: DroverWorld) => `arn:aws:iam::${account.accountId}:role/${roleName}`;

  it('uses the role of the deployment', async () => {
    const world = createDroverWorld();
    const [leaving = ''] = await withWorkers(world, { size: 1, hook: longHook });
    notify(world, arnOf(world, 'sqs', queueNamed(world, inbox)), roleOf(world));
    world.account.events.disturb({ lost: 1 });
    terminate(world, leaving, { replace: false });
    await untilGone(world, leaving, 120);
    expect(world.problems).toEqual([]);
  });

  it.each([
    ['without a role', () => undefined, (wiring: DroverWorld['wiring']) => wiring],
    ['with a role that may not', roleOf, withRoleStatement(roleName, 'NotifyInbox')],
    ['with a role that trusts another service', sweepRoleOf, (wiring: DroverWorld['wiring']) => wiring],
  ] as const)('is not put %s', async (_, roleArn, editWiring) => {
    const world = createDroverWorld({ editWiring });
    await withWorkers(world, { size: 1, hook: longHook });
    expect(() => notify(world, arnOf(world, 'sqs', queueNamed(world, inbox)), roleArn(world))).toThrow(
      /Unable to publish test message/,
    );
  });
});

const sweepRoleOf = ({ account }: DroverWorld) => `arn:aws:iam::${account.accountId}:role/drover-dev-sweep`;

const notify = ({ account }: DroverWorld, targetArn: string, roleArn: string | undefined): void => {
  account.autoScaling.operations.PutLifecycleHook({
    AutoScalingGroupName: 'workers',
    LifecycleHookName: hookName,
    LifecycleTransition: 'autoscaling:EC2_INSTANCE_TERMINATING',
    HeartbeatTimeout: 3600,
    DefaultResult: 'CONTINUE',
    NotificationTargetARN: targetArn,
    ...(roleArn !== undefined && { RoleARN: roleArn }),
  });
};

describe('a function that fails for good', () => {
  const failing = { editRbac: () => [] };

  it('leaves a record in the queue for undelivered events', async () => {
    const world = createDroverWorld(failing);
    await world.timeline.pass(3600 + 900);
    const bodies = (await receive(world, queueNamed(world, undelivered))).map(({ Body }) => Body);
    expect(bodies.join()).toContain('RetriesExhausted');
  });

  it('leaves no record without the right to send it there', async () => {
    const world = createDroverWorld({
      ...failing,
      editWiring: withRoleStatement('drover-dev-bootstrap-credential', 'ReportFailure'),
    });
    await world.timeline.pass(3600 + 900);
    expect(await receive(world, queueNamed(world, undelivered))).toEqual([]);
    expect(world.problems).toContainEqual(expect.any(RefusedDelivery));
  });
});
