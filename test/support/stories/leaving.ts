import {
  createDroverWorld,
  type DroverWorld,
  hookName,
  stateOf,
  terminate,
  withWorkers,
} from '../../../local/world/drover-world.ts';
import { daemonSet, deployment, heldDeployment, run } from '../../../local/world/workloads.ts';
import { nodeObjectOf } from '../observed-instance.ts';
import { complaints, endOf, type Story } from './story.ts';

/**
 * What leaving takes: a long drain that needs heartbeats and is forced at its deadline, targets to wait for, a spot interruption, an event that is lost, and malformed messages.
 */
export const leaving: Story = async (options) => {
  const world = createDroverWorld(options);
  const ids = await launch(world);
  await fill(world);
  sendPoison(world);
  const { events, ec2 } = world.account;
  events.disturb({ lost: 1 });
  terminate(world, ids.lost, { replace: false });
  await world.timeline.pass(5);
  events.disturb({});
  terminate(world, ids.workers, { replace: false });
  ec2.accidents.interruptSpot(ids.spots);
  const overdue = await endOf(() =>
    world.timeline.until(
      () =>
        complaints(world).length > 0 || Object.values(ids).every((id) => stateOf(world, id) === undefined),
      { withinSeconds: 900, what: 'the end of all instances' },
    ),
  );
  const left = Object.values(ids)
    .filter((id) => nodeObjectOf(world, id) !== undefined)
    .map((id) => `the Node of ${id} was left behind`);
  return [...complaints(world), ...overdue, ...left, ...unparked(world), ...unevicted(world)];
};

async function launch(world: DroverWorld) {
  const tags = { 'drover.dev/drain-timeout': '2m' };
  const hook = (heartbeatTimeoutSeconds: number) => ({ name: hookName, heartbeatTimeoutSeconds });
  const { TargetGroups } = world.account.loadBalancing.operations.CreateTargetGroup({
    Name: 'web',
    Protocol: 'HTTP',
    Port: 80,
    VpcId: 'vpc-0123456789abcdef0',
    TargetType: 'instance',
  });
  const settings = { TargetGroupARNs: TargetGroups.map(({ TargetGroupArn = '' }) => TargetGroupArn) };
  const [workers = ''] = await withWorkers(world, { size: 1, tags, hook: hook(60), settings });
  const [lost = ''] = await withWorkers(world, {
    size: 1,
    tags,
    autoScalingGroupName: 'lost',
    hook: hook(3600),
  });
  const [spots = ''] = await withWorkers(world, {
    size: 1,
    autoScalingGroupName: 'spots',
    spot: true,
    hook: undefined,
  });
  return { workers, lost, spots };
}

async function fill(world: DroverWorld): Promise<void> {
  await run(
    world,
    daemonSet({ name: 'agent' }),
    deployment({ name: 'web', replicas: 3 }),
    ...heldDeployment({ name: 'held', replicas: 6 }),
  );
}

const queueNamed = ({ account }: DroverWorld, pattern: RegExp): string =>
  account.sqs.controls.queueNames().find((name) => pattern.test(name)) ?? '';

function sendPoison(world: DroverWorld): void {
  const { controls } = world.account.sqs;
  controls.send(queueNamed(world, /-InboxQueue$/), { MessageBody: 'hello' });
  for (const name of [/-LeavingQueue.fifo$/, /-HeartbeatsQueue.fifo$/])
    controls.send(queueNamed(world, name), {
      MessageBody: 'hello',
      MessageGroupId: 'hello',
      MessageDeduplicationId: 'hello',
    });
}

/** What no budget holds is evicted, and not deleted at the deadline. */
const unevicted = ({ lines }: DroverWorld): readonly string[] =>
  lines.some(({ facts }) => (facts as { podsEvicted?: number } | undefined)?.podsEvicted)
    ? []
    : ['no pod was evicted'];

const unparked = (world: DroverWorld): readonly string[] =>
  [/-InboxDeadLetterQueue$/, /-LeavingDeadLetterQueue.fifo$/, /-HeartbeatsDeadLetterQueue.fifo$/]
    .map((pattern) => queueNamed(world, pattern))
    .filter((queueName) => world.account.sqs.controls.peek(queueName).length !== 1)
    .map((queueName) => `${queueName} does not hold what was not understood`);
