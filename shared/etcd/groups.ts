import {
  type AutoScalingGroup,
  type GroupMember,
  isManaged,
  type LifecycleHook,
  roleOf,
} from '../groups/group.ts';
import {
  isPendingWait,
  isReplacingRootVolume,
  isRootVolumeReplaced,
  isTerminatingWait,
} from '../groups/lifecycle-state.ts';
import type { EtcdContext } from './context.ts';
import type { EtcdInstance } from './observe.ts';

/** A group whose instances are etcd members, with the etcd hooks of Drover on it. */
export interface EtcdGroup {
  readonly group: AutoScalingGroup;
  readonly launching?: LifecycleHook;
  readonly terminating?: LifecycleHook;
}

/**
 * Finds the groups of the cluster whose instances are members: those with the role `etcd`, and those of the control plane that
 * have one of our hooks. Not cached, because the lifecycle states decide which members leave.
 */
export async function findEtcdGroups(
  context: Pick<EtcdContext, 'autoScaling' | 'clock' | 'settings' | 'etcdHookName' | 'etcdLaunchHookName'>,
): Promise<readonly EtcdGroup[]> {
  const { autoScaling, clock, settings, etcdHookName, etcdLaunchHookName } = context;
  const groups = (await autoScaling.listGroups(clock.now())).filter((group) =>
    isManaged(group, settings.clusterName),
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
        return { group, launching, terminating };
      }),
  );
  return found.filter((one) => one !== undefined);
}

/** An instance as its group lists it, without what EC2 knows. Instances of a warm pool are left out: they are not members. */
export type ListedInstance = Pick<
  EtcdInstance,
  | 'instanceId'
  | 'autoScalingGroupName'
  | 'phase'
  | 'waitsOn'
  | 'unheld'
  | 'emptied'
  | 'besideApiServer'
  | 'isBeingDeregistered'
>;

export const instancesOf = (groups: readonly EtcdGroup[]): readonly ListedInstance[] =>
  groups.flatMap(({ group, launching, terminating }) =>
    group.instances.flatMap((instance) => {
      const phase = phaseOf(instance);
      const held = isTerminatingWait(instance) ? terminating : undefined;
      const waitsOn = isPendingWait(instance) ? launching : held;
      const at = { instanceId: instance.instanceId, autoScalingGroupName: group.autoScalingGroupName };
      const unheld = phase === 'leaving' && (!terminating || isPastWait(instance));
      const more = {
        ...(waitsOn && { waitsOn }),
        ...(unheld && { unheld: true as const }),
        ...(isRootVolumeReplaced(instance) && { emptied: true as const }),
        ...(roleOf(group) === 'control-plane' && { besideApiServer: true as const }),
        ...(terminating && isBeforeHooks(instance) && { isBeingDeregistered: true as const }),
      };
      return phase ? [{ ...at, phase, ...more }] : [];
    }),
  );

/** The terminating hooks begin once the target groups have drained the instance, and classic load balancers. */
const isBeforeHooks = ({ lifecycleState }: GroupMember): boolean => lifecycleState === 'Terminating';

/** All hooks are completed. If the instance is still a member, ours was completed by hand or timed out. */
const isPastWait = ({ lifecycleState }: GroupMember): boolean => lifecycleState.endsWith(':Proceed');

/** A member whose root volume is replaced loses its data: it leaves, and the instance arrives again. */
function phaseOf(instance: GroupMember): EtcdInstance['phase'] | undefined {
  const { lifecycleState } = instance;
  if (isReplacingRootVolume(instance)) return 'leaving';
  if (isRootVolumeReplaced(instance)) return 'arriving';
  if (lifecycleState.startsWith('Warmed:')) return undefined;
  if (lifecycleState.startsWith('Pending')) return 'arriving';
  return /^(?:Terminat|Quarantined)/.test(lifecycleState) ? 'leaving' : 'serving';
}

/** The tag of a group that shows which problem of its etcd needs an operator. */
export const etcdStatusTagKey = 'drover.dev/etcd-status';

/** A tag value has at most 256 characters, and not all characters of a sentence are allowed. */
const maximumLength = 256;

/** Sets the tag of every etcd group to the first problem, or removes it. A tag that cannot be changed does not fail the pass. */
export async function updateStatusTags(
  { setStatusTag, onProblem }: EtcdContext,
  groups: readonly EtcdGroup[],
  problems: readonly string[],
): Promise<void> {
  const value = problems[0]?.replaceAll(/[^\p{L}\p{N} +\-=._:/@]/gu, '_').slice(0, maximumLength);
  const changed = groups.filter(({ group }) => group.tags[etcdStatusTagKey] !== value);
  await Promise.all(
    changed.map(async ({ group: { autoScalingGroupName } }) => {
      try {
        await setStatusTag(autoScalingGroupName, value);
      } catch (error) {
        onProblem(`the tag ${etcdStatusTagKey} of ${autoScalingGroupName} was not changed`, error);
      }
    }),
  );
}
