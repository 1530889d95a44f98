import type { Node } from 'kubernetes-types/core/v1.d.ts';
import { addGroup, type GroupPlan } from '../../../../local/cloud/furnish.ts';
import { clusterName, hookName } from '../../../../local/names.ts';
import { nodeTags } from '../../worlds/instances.ts';
import type { World } from '../../worlds/world.ts';
import { isReady, nodesOf } from './nodes.ts';

/** A drain of a case takes no longer than this: the shortest that a tag may say. */
export const drainTimeoutSeconds = 30;
const shortDrain = { 'drover.dev/drain-timeout': `${drainTimeoutSeconds}s` };
const hook = { name: hookName, heartbeatTimeoutSeconds: 60 };

/** What a group of a case may have otherwise. */
export interface WorkersPlan extends Pick<GroupPlan, 'size' | 'tags' | 'spot'> {
  readonly name?: string;
  /** Default true. */
  readonly withHook?: boolean;
}

/** A group is known to the functions so long after it has been made. */
const knownAfterSeconds = 6;

/** Makes a group of workers; gives their instance ids once they are in service, and their nodes Ready if they join at all. */
export async function workers(world: World, plan: WorkersPlan): Promise<readonly string[]> {
  const autoScalingGroupName = `${world.namespace}-${plan.name ?? 'workers'}`;
  const start = world.now();
  addGroup(world, {
    autoScalingGroupName,
    clusterName,
    size: plan.size,
    tags: { ...shortDrain, [nodeTags.namespace]: world.namespace, ...plan.tags },
    ...(plan.spot && { spot: true }),
    ...(plan.withHook !== false && { hook }),
  });
  const inService = (): readonly string[] =>
    membersOf(world, autoScalingGroupName)
      .filter(({ LifecycleState }) => LifecycleState === 'InService')
      .map(({ InstanceId = '' }) => InstanceId);
  await world.until(() => inService().length === plan.size, {
    withinSeconds: 60,
    what: 'the group in service',
  });
  const joins = plan.tags?.[nodeTags.joins] !== 'never';
  if (joins) await untilJoined(world, inService());
  await world.pass(Math.max(0, knownAfterSeconds - (world.now() - start) / 1000));
  return inService();
}

const untilJoined = (world: World, instanceIds: readonly string[]): Promise<void> =>
  world.until(
    async () => {
      const nodes = await nodesOf(world);
      return instanceIds.every((id) =>
        nodes.some((node: Node) => node.spec?.providerID?.endsWith(id) && isReady(node)),
      );
    },
    { withinSeconds: 90, what: 'all nodes Ready' },
  );

const membersOf = ({ account }: World, autoScalingGroupName: string) =>
  account.autoScaling.operations.DescribeAutoScalingGroups({ AutoScalingGroupNames: [autoScalingGroupName] })
    .AutoScalingGroups[0]?.Instances ?? [];

/** The lifecycle state; undefined: it has left its group. */
export const stateOf = ({ account }: World, instanceId: string): string | undefined =>
  account.autoScaling.operations.DescribeAutoScalingInstances({ InstanceIds: [instanceId] })
    .AutoScalingInstances[0]?.LifecycleState;

/** Without a replacement. */
export function terminate({ account }: World, instanceId: string): void {
  account.autoScaling.operations.TerminateInstanceInAutoScalingGroup({
    InstanceId: instanceId,
    ShouldDecrementDesiredCapacity: true,
  });
}

/** Lets time pass until the instance has left its group; gives the seconds that it took. */
export async function untilGone(world: World, instanceId: string, withinSeconds = 90): Promise<number> {
  const start = world.now();
  await world.until(() => stateOf(world, instanceId) === undefined, {
    withinSeconds,
    what: `the end of ${instanceId}`,
  });
  return (world.now() - start) / 1000;
}
