import { type AutoScalingGroup, isManaged, type LifecycleHook, roleOf } from '../lifecycle/group.ts';
import type { EtcdInstance } from './sight.ts';
import type { EtcdWorld } from './world.ts';

/** A group whose instances are etcd members, with our hooks on it. */
export interface EtcdGroup {
  readonly group: AutoScalingGroup;
  readonly launching?: LifecycleHook;
  readonly terminating?: LifecycleHook;
}

/**
 * The groups of the cluster whose instances are members: every one with the role `etcd`, and those of the control plane that
 * carry our hook. Read anew, for who leaves is decided by it.
 */
export async function findEtcdGroups(
  world: Pick<EtcdWorld, 'autoScaling' | 'clock' | 'terms' | 'etcdHookName' | 'etcdLaunchHookName'>,
): Promise<readonly EtcdGroup[]> {
  const { autoScaling, clock, terms, etcdHookName, etcdLaunchHookName } = world;
  const groups = (await autoScaling.listGroups(clock.now())).filter((group) =>
    isManaged(group, terms.clusterName),
  );
  const found = await Promise.all(
    groups
      .filter((group) => roleOf(group) !== 'worker')
      .map(async (group): Promise<EtcdGroup | undefined> => {
        const hooks = await autoScaling.describeHooks(group.autoScalingGroupName);
        const named = (name: string) => hooks.find(({ lifecycleHookName }) => lifecycleHookName === name);
        const launching = named(etcdLaunchHookName);
        const terminating = named(etcdHookName);
        if (roleOf(group) !== 'etcd' && !launching && !terminating) return undefined;
        return { group, ...(launching && { launching }), ...(terminating && { terminating }) };
      }),
  );
  return found.filter((one) => one !== undefined);
}

/** A member of a group before EC2 was asked about it. Instances in a warm pool are no members, and not in service. */
export type ListedInstance = Pick<EtcdInstance, 'instanceId' | 'autoScalingGroupName' | 'phase' | 'waitsOn'>;

export const instancesOf = (groups: readonly EtcdGroup[]): readonly ListedInstance[] =>
  groups.flatMap(({ group, launching, terminating }) =>
    group.instances.flatMap(({ instanceId, lifecycleState }) => {
      const phase = phaseOf(lifecycleState);
      const waits = { 'Pending:Wait': launching, 'Terminating:Wait': terminating };
      const waitsOn = waits[lifecycleState as keyof typeof waits];
      const { autoScalingGroupName } = group;
      return phase ? [{ instanceId, autoScalingGroupName, phase, ...(waitsOn && { waitsOn }) }] : [];
    }),
  );

function phaseOf(lifecycleState: string): EtcdInstance['phase'] | undefined {
  if (lifecycleState.startsWith('Warmed:')) return undefined;
  if (lifecycleState.startsWith('Pending')) return 'arriving';
  return /^(?:Terminat|Quarantined)/.test(lifecycleState) ? 'leaving' : 'serving';
}
