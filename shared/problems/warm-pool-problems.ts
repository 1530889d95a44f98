import { durationText } from '../base/duration.ts';
import { isoSeconds } from '../base/iso-seconds.ts';
import { shellWord } from '../base/shell-words.ts';
import { type AutoScalingGroup, findLaunchingHook, type LifecycleHook } from '../groups/group.ts';
import { isWarmedPendingWait } from '../groups/lifecycle-state.ts';
import type { WarmPoolWait } from '../groups/warm-pool.ts';
import { joiningTags } from '../joining/settings.ts';
import type { HookNames } from './hook-problems.ts';
import type { FoundProblem } from './problem.ts';

/** Longer than user data mostly takes, and much shorter than Drover keeps the wait: up to two days. */
const longWaitSeconds = 600;

/** The waits in warm pools of managed groups, but for leaving instances, whose problems are others. Pure. */
export function poolProblems(
  {
    warmWaits,
    managed,
    hooks,
    ...names
  }: LaunchHookNames & {
    readonly warmWaits: readonly WarmPoolWait[];
    readonly managed: readonly PoolGroup['group'][];
    readonly hooks: ReadonlyMap<string, readonly LifecycleHook[]>;
  },
  { leaving, at }: { readonly leaving: readonly { readonly instanceId: string }[]; readonly at: number },
): readonly FoundProblem[] {
  const leavingIds = new Set(leaving.map(({ instanceId }) => instanceId));
  return warmWaits
    .filter(({ instanceId }) => !leavingIds.has(instanceId))
    .flatMap((wait) => {
      const group = managed.find((one) => one.autoScalingGroupName === wait.autoScalingGroupName);
      return group
        ? warmPoolProblems(wait, { group, hooks: hooks.get(wait.autoScalingGroupName) ?? [], at }, names)
        : [];
    });
}

type LaunchHookNames = Pick<HookNames, 'leavingHookName' | 'joiningHookName' | 'etcdLaunchHookName'>;

interface PoolGroup {
  readonly group: Pick<AutoScalingGroup, 'autoScalingGroupName' | 'tags'>;
  readonly hooks: readonly LifecycleHook[];
  /** Epoch milliseconds. */
  readonly at: number;
}

/**
 * An instance that a hook of Drover holds on its way into the warm pool for longer than user data takes. Drover does not complete that hook,
 * because the instance would be stopped while its user data may still run. Pure.
 */
function warmPoolProblems(
  wait: WarmPoolWait,
  { group, hooks, at }: PoolGroup,
  names: LaunchHookNames,
): readonly FoundProblem[] {
  const { instanceId, since } = wait;
  const isLaunch = isWarmedPendingWait(wait) && !wait.isReturn;
  const holding = isLaunch
    ? launchHookOf(hooks, names)
    : hooks.find(({ lifecycleHookName }) => lifecycleHookName === names.leavingHookName);
  if (!holding) return [];
  const ownSeconds = isLaunch ? poolWaitSecondsOf(group) : undefined;
  // Auto Scaling lists an activity seconds after it has begun.
  if (since === undefined || (at - since) / 1000 <= longWaitSeconds + (ownSeconds ?? 0)) return [];
  const hook = holding.lifecycleHookName;
  const held = `hook ${hook} holds it in ${wait.lifecycleState} since ${isoSeconds(since)}`;
  return [
    {
      kind: 'warm-wait',
      subject: instanceId,
      since: new Date(since).toISOString(),
      message: `${held}, ${isLaunch ? whyLaunched(group, { hook, ownSeconds }) : whyLeaving(wait)}`,
      command: isLaunch
        ? completeCommand(wait, hook)
        : `drover events --instance ${shellWord(instanceId)} --since 1h`,
    },
  ];
}

/** The hook of Drover that holds instances which are launched into the pool. */
const launchHookOf = (
  hooks: readonly LifecycleHook[],
  { joiningHookName, etcdLaunchHookName }: LaunchHookNames,
): LifecycleHook | undefined =>
  findLaunchingHook(hooks, joiningHookName) ?? findLaunchingHook(hooks, etcdLaunchHookName);

/** An invalid tag counts for nothing, as in a pass. */
const poolWaitSecondsOf = ({ tags }: PoolGroup['group']): number | undefined => {
  const key = 'drover.dev/warm-pool-wait';
  const value = tags[key];
  return value === undefined ? undefined : joiningTags[key]?.read(value)?.warmPoolWaitSeconds;
};

function whyLaunched(
  { autoScalingGroupName }: PoolGroup['group'],
  { hook, ownSeconds }: { readonly hook: string; readonly ownSeconds: number | undefined },
): string {
  if (ownSeconds !== undefined)
    return `on its way into the warm pool of ${autoScalingGroupName}, and its tag drover.dev/warm-pool-wait gives it ${durationText(ownSeconds)}: check the function node-joining and its queue, or complete the hook`;
  return `on its way into the warm pool of ${autoScalingGroupName}: Drover does not complete the hook, because that would stop the instance while its user data may still run. Let the user data complete ${hook} as its last line, as drover user-data does, or complete it now if the user data has ended`;
}

const whyLeaving = ({ autoScalingGroupName, isReturn }: WarmPoolWait): string =>
  `and no Node is marked as leaving for it: it ${isReturn ? 'returns to' : 'leaves'} the warm pool of ${autoScalingGroupName}, which the sweep does not read, so a lost event of it is not repeated. The hook's default result ends the wait`;

const completeCommand = ({ autoScalingGroupName, instanceId }: WarmPoolWait, hook: string): string =>
  `aws autoscaling complete-lifecycle-action --lifecycle-action-result CONTINUE --lifecycle-hook-name ${shellWord(hook)} --auto-scaling-group-name ${shellWord(autoScalingGroupName)} --instance-id ${shellWord(instanceId)}`;
