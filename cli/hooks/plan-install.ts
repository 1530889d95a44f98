import { durationText } from '../../shared/base/duration.ts';
import type { AutoScalingGroup, LifecycleActionResult, LifecycleHook } from '../../shared/groups/group.ts';
import { globalTimeoutSecondsOf } from '../../shared/groups/hook-timing.ts';
import { isTerminatingWait } from '../../shared/groups/lifecycle-state.ts';
import { type HookNames, hookProblems, standsBesideEtcd } from '../../shared/problems/hook-problems.ts';

/** The hook that is wanted on a group. */
export interface WantedHook {
  readonly heartbeatTimeoutSeconds: number;
  readonly defaultResult: LifecycleActionResult;
}

export type InstallPlan =
  | { readonly kind: 'refuse'; readonly reason: string }
  | { readonly kind: 'keep'; readonly warnings: readonly string[] }
  | {
      readonly kind: 'create' | 'change';
      /** `heartbeat timeout 5m -> 1h`, or what the new one says. */
      readonly words: readonly string[];
      readonly warnings: readonly string[];
    };

export interface InstallInput {
  readonly group: Pick<AutoScalingGroup, 'autoScalingGroupName' | 'tags' | 'instances'>;
  readonly hooks: readonly LifecycleHook[];
  readonly names: HookNames;
  readonly wanted: WantedHook;
}

/** What has to be done for the group to have Drover's hook as wanted. A hook of that name that cannot be ours is refused. Pure. */
export function planInstall(input: InstallInput): InstallPlan {
  const { hooks, names, wanted } = input;
  const before = hooks.find((hook) => hook.lifecycleHookName === names.leavingHookName);
  if (before?.transition === 'launching')
    return {
      kind: 'refuse',
      reason: `${names.leavingHookName} is a hook for launching instances, which Drover did not create: remove it, or give Drover’s hook another name (DROVER_LEAVING_HOOK, the parameter leavingHook of the deployment)`,
    };
  if (wanted.defaultResult === 'ABANDON' && standsBesideEtcd(hooks, names))
    return {
      kind: 'refuse',
      reason: `the default result must be CONTINUE beside ${names.etcdHookName}: ABANDON would end the wait of that hook too`,
    };
  const words = before ? changesOf(before, wanted) : contentsOf(wanted);
  const warnings = [...warningsOf(input), ...waitWarnings(input, before)];
  if (words.length === 0) return { kind: 'keep', warnings };
  return { kind: before ? 'change' : 'create', words, warnings };
}

export const contentsOf = (wanted: WantedHook): readonly string[] => [
  `heartbeat timeout ${durationText(wanted.heartbeatTimeoutSeconds)}`,
  `default result ${wanted.defaultResult}`,
];

export const changesOf = (before: LifecycleHook, wanted: WantedHook): readonly string[] => [
  ...(before.heartbeatTimeoutSeconds === wanted.heartbeatTimeoutSeconds
    ? []
    : [
        `heartbeat timeout ${durationText(before.heartbeatTimeoutSeconds)} -> ${durationText(wanted.heartbeatTimeoutSeconds)}`,
      ]),
  ...(before.defaultResult === wanted.defaultResult
    ? []
    : [`default result ${before.defaultResult} -> ${wanted.defaultResult}`]),
];

/** The problems that remain once the hook exists. */
function warningsOf({ group, hooks, names, wanted }: InstallInput): readonly string[] {
  const others = hooks.filter((hook) => hook.lifecycleHookName !== names.leavingHookName);
  return hookProblems(group, [...others, asHook(names, wanted)], names).map(({ message }) => message);
}

/** AWS does not document whether a wait keeps the timeout with which it began. */
function waitWarnings({ group, wanted }: InstallInput, before: LifecycleHook | undefined): readonly string[] {
  const waiting = group.instances.filter(isTerminatingWait).length;
  const isSame = before?.heartbeatTimeoutSeconds === wanted.heartbeatTimeoutSeconds;
  if (!before || isSame || waiting === 0) return [];
  return [
    `${waiting} of its instances wait on the hook now: their heartbeats follow the shorter of the two timeouts once their nodes are marked; change the timeout while none waits`,
  ];
}

const asHook = ({ leavingHookName }: HookNames, wanted: WantedHook): LifecycleHook => ({
  ...wanted,
  lifecycleHookName: leavingHookName,
  transition: 'terminating',
  globalTimeoutSeconds: globalTimeoutSecondsOf(wanted.heartbeatTimeoutSeconds),
});
