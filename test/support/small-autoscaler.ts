import { type DroverWorld, membersOf } from '../../local/world/drover-world.ts';
import { podsOn, request } from '../../local/world/workloads.ts';
import { isMoved } from '../../shared/roll/blockers.ts';

const candidateTaint = 'DeletionCandidateOfClusterAutoscaler';
const unneededSeconds = 600;

/**
 * What cluster-autoscaler does with empty nodes: it taints them at once (PreferNoSchedule), and after ten minutes takes them with the desired
 * capacity lowered, unless they ask for it not to. It looks at the nodes of these instances only.
 */
export function createSmallAutoscaler(world: DroverWorld, looksAt: (instanceId: string) => boolean) {
  const emptySince = new Map<string, number>();
  const taken: string[] = [];
  const tainted: string[] = [];
  const nodes = () => world.kubernetes.store.of('nodes').list();
  const look = async (): Promise<void> => {
    for (const node of nodes()) {
      const { name, annotations = {} } = node.metadata;
      const instanceId = node.spec?.providerID?.split('/').at(-1) ?? '';
      const isAsked = annotations['cluster-autoscaler.kubernetes.io/scale-down-disabled'] === 'true';
      const isCandidate = looksAt(instanceId) && !isAsked && !podsOn(world, name).some(isMoved);
      const others = (node.spec?.taints ?? []).filter(({ key }) => key !== candidateTaint);
      const has = others.length < (node.spec?.taints ?? []).length;
      if (isCandidate !== has) {
        const taint = { key: candidateTaint, effect: 'PreferNoSchedule', value: String(world.clock.now()) };
        await request(world, 'PATCH', `/api/v1/nodes/${name}`, {
          spec: { taints: isCandidate ? [...others, taint] : others },
        });
        if (isCandidate) tainted.push(name);
      }
      if (!isCandidate) emptySince.delete(name);
      else if (!emptySince.has(name)) emptySince.set(name, world.clock.now());
      if (world.clock.now() - (emptySince.get(name) ?? Infinity) >= unneededSeconds * 1000) {
        emptySince.delete(name);
        taken.push(instanceId);
        world.account.autoScaling.operations.TerminateInstanceInAutoScalingGroup({
          InstanceId: instanceId,
          ShouldDecrementDesiredCapacity: true,
        });
      }
    }
  };
  return {
    taken,
    tainted,
    /** Lets time pass, and looks every ten seconds. */
    until: async (isDone: () => boolean, withinSeconds: number): Promise<void> => {
      for (let second = 0; second < withinSeconds && !isDone(); second += 10) {
        await world.timeline.pass(10);
        await look();
      }
    },
    candidates: () =>
      nodes().filter(({ spec }) => spec?.taints?.some(({ key }) => key === candidateTaint)).length,
  };
}

/** The instances of a group whose nodes have never registered are taken after this time, with the desired capacity lowered. */
export function takeUnregistered(world: DroverWorld, olderThanSeconds: number, group = 'workers'): number {
  const registered = new Set(
    world.kubernetes.store
      .of('nodes')
      .list()
      .map(({ spec }) => spec?.providerID?.split('/').at(-1)),
  );
  const late = membersOf(world, group).filter(({ InstanceId = '', LifecycleState }) => {
    const launchedAt = world.account.ec2.instances.find(InstanceId)?.launchedAt ?? Infinity;
    const isOld = world.clock.now() - launchedAt >= olderThanSeconds * 1000;
    return isOld && !registered.has(InstanceId) && !LifecycleState?.startsWith('Terminating');
  });
  for (const { InstanceId = '' } of late)
    world.account.autoScaling.operations.TerminateInstanceInAutoScalingGroup({
      InstanceId,
      ShouldDecrementDesiredCapacity: true,
    });
  return late.length;
}
