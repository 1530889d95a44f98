import { type AutoScalingGroup, type LifecycleHook, roleOf } from '../../shared/groups/group.ts';

/** What the deployment calls its lifecycle hooks. */
interface OurHookNames {
  readonly leavingHookName: string;
  readonly joiningHookName: string;
  readonly etcdHookName: string;
  readonly etcdLaunchHookName: string;
}

/** An instance that waits on lifecycle hooks. Auto Scaling does not report which hook it waits on. */
export interface InstanceWait {
  readonly instanceId: string;
  readonly autoScalingGroupName: string;
  readonly lifecycleState: string;
  readonly transition: WaitTransition;
  /** Drover's hooks that may hold it, in the order of the description. */
  readonly hooks: readonly LifecycleHook[];
  /** Hooks of others that may hold it. */
  readonly otherHooks: readonly string[];
  /** Its member of etcd joins or leaves with it. */
  readonly isEtcdMember: boolean;
}

/** `either`: the state does not say whether the instance launches into its warm pool or returns to it. */
type WaitTransition = 'launching' | 'terminating' | 'either';

/** Whether the hook is Drover's, by its name. */
export const isOurHook = (
  { lifecycleHookName }: Pick<LifecycleHook, 'lifecycleHookName'>,
  names: OurHookNames,
): boolean => ourHookNames(names).includes(lifecycleHookName);

const ourHookNames = (names: OurHookNames): readonly string[] => [
  names.leavingHookName,
  names.joiningHookName,
  names.etcdHookName,
  names.etcdLaunchHookName,
];

/** The instances of a group that wait, with the hooks that may hold each. Pure. */
export function waitsOf(
  group: Pick<AutoScalingGroup, 'autoScalingGroupName' | 'tags' | 'instances'>,
  hooks: readonly LifecycleHook[],
  names: OurHookNames,
): readonly InstanceWait[] {
  const isEtcdMember = isEtcdGroup(group, hooks, names);
  return group.instances
    .filter(({ lifecycleState }) => lifecycleState.endsWith(':Wait'))
    .map(({ instanceId, lifecycleState }) => {
      const transition = transitionOf(lifecycleState);
      const holding = hooks.filter((hook) => transition === 'either' || hook.transition === transition);
      return {
        instanceId,
        autoScalingGroupName: group.autoScalingGroupName,
        lifecycleState,
        transition,
        hooks: holding.filter((hook) => isOurHook(hook, names)),
        otherHooks: holding
          .filter((hook) => !isOurHook(hook, names))
          .map(({ lifecycleHookName }) => lifecycleHookName),
        isEtcdMember,
      };
    });
}

/** A group that has lost its role still has the hooks of etcd. */
const isEtcdGroup = (
  group: Pick<AutoScalingGroup, 'tags'>,
  hooks: readonly LifecycleHook[],
  { etcdHookName, etcdLaunchHookName }: OurHookNames,
): boolean =>
  roleOf(group) === 'etcd' ||
  hooks.some(({ lifecycleHookName }) => [etcdHookName, etcdLaunchHookName].includes(lifecycleHookName));

/**
 * Which hooks hold an instance in this state (EC2 Auto Scaling user guide, "Amazon EC2 Auto Scaling instance lifecycle"). An unknown state
 * may be held by either kind.
 */
function transitionOf(lifecycleState: string): WaitTransition {
  if (lifecycleState === 'Pending:Wait') return 'launching';
  if (lifecycleState.endsWith('Terminating:Wait') || lifecycleState === 'ReplacingRootVolume:Wait')
    return 'terminating';
  return 'either';
}

/** What CONTINUE does to the instance. Auto Scaling goes on once every hook is completed. */
export function effectOf({ lifecycleState, transition, otherHooks }: InstanceWait): string {
  if (otherHooks.length > 0) return `it may wait on, for another hook: ${otherHooks.join(', ')}`;
  if (lifecycleState === 'ReplacingRootVolume:Wait')
    return 'Auto Scaling replaces its root volume and reboots it at once';
  if (transition === 'launching') return 'it goes into service, although its node may not be Ready';
  if (transition === 'terminating') return 'EC2 terminates it at once';
  return 'it goes into its warm pool, which may stop it at once';
}
