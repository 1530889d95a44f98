import type { Wiring } from '@drover/cloud-sandbox';
import {
  createDroverWorld,
  hookName,
  keyId,
  nodesOf,
  withWorkers,
} from '../../../local/world/drover-world.ts';
import { droverFor } from '../drover-cli.ts';
import { complaints, endOf, type Story } from './story.ts';

/** A bootstrap credential is published, replaced, and the old one retired. */
export const rotation: Story = async ({ editWiring = (wiring) => wiring, ...options }) => {
  const world = createDroverWorld({
    ...options,
    editWiring: (wiring) => withOwnKey(withoutOtherSchedules(editWiring(wiring))),
  });
  await world.timeline.pass(15 * 3600);
  const tokens = world.kubernetes.store
    .of('secrets')
    .list()
    .filter(({ type }) => type === 'bootstrap.kubernetes.io/token');
  return [...complaints(world), ...(tokens.length === 1 ? [] : [`${tokens.length} bootstrap tokens`])];
};

/** Without what runs every minute or every five: fifteen hours of it would take most of the time, and show nothing here. */
const withoutOtherSchedules = (wiring: Wiring): Wiring => ({
  ...wiring,
  rules: wiring.rules.filter(
    ({ rule }) => rule.ScheduleExpression === undefined || rule.Name.endsWith('-bootstrap-credential'),
  ),
});

const withOwnKey = (wiring: Wiring): Wiring => ({
  ...wiring,
  functions: wiring.functions.map((one) => ({
    ...one,
    environment: {
      ...one.environment,
      ...('DROVER_BOOTSTRAP_KMS_KEY' in one.environment && { DROVER_BOOTSTRAP_KMS_KEY: keyId }),
    },
  })),
});

/** An operator scales a group and waits for its nodes, and then scales it beyond its MaxSize. */
export const scaling: Story = async (options) => {
  const world = createDroverWorld(options);
  await withWorkers(world, { size: 1 });
  const drover = droverFor(world);
  const first = await drover('scale workers 2 --wait');
  const beyond = await drover('scale workers 11 --raise-max-size');
  const isScaled = first.exitCode === 0 && nodesOf(world).length === 2 && beyond.exitCode === 0;
  return isScaled ? [] : [first.stderr, beyond.stderr, ...complaints(world)];
};

/** A hook notifies the inbox with the role of the deployment. */
export const hookNotification: Story = async (options) => {
  const world = createDroverWorld(options);
  const { account } = world;
  await withWorkers(world, { size: 1 });
  const { InboxQueueArn, HookNotificationRoleArn } = world.wiring.outputs;
  return await endOf(async () => {
    account.autoScaling.operations.PutLifecycleHook({
      AutoScalingGroupName: 'workers',
      LifecycleHookName: hookName,
      LifecycleTransition: 'autoscaling:EC2_INSTANCE_TERMINATING',
      NotificationTargetARN: InboxQueueArn ?? '',
      RoleARN: HookNotificationRoleArn ?? '',
    });
  });
};

/** A rotation that fails for good leaves a record of it. */
export const failure: Story = async (options) => {
  const world = createDroverWorld({ ...options, editRbac: () => [] });
  await world.timeline.pass(3600 + 900);
  const queueName = world.account.sqs.controls
    .queueNames()
    .find((name) => name.endsWith('-UndeliveredQueue'));
  const bodies = world.account.sqs.controls.peek(queueName ?? '').map(({ body }) => body);
  return bodies.some((body) => body.includes('RetriesExhausted')) ? [] : ['no record of the failure'];
};
