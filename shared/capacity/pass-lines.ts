import { type AutoScalingGroup, findLaunchingHook, type LifecycleHook } from '../groups/group.ts';
import { isPendingWait, isWarmedPendingWait } from '../groups/lifecycle-state.ts';
import type { WarmPoolWait } from '../groups/warm-pool.ts';
import type { ReasonToLeave } from '../passes/leaving-notice.ts';
import { type LeavingInstance, waitsFor } from './leaving-instances.ts';

/** A leaving instance as `drover status --json` and the scale API show it. Times are ISO 8601 in UTC. */
export interface LeavingLine {
  /** Null if the Node is not marked yet, or if the API server could not be read. */
  readonly node: string | null;
  readonly instanceId: string;
  /** Null if the instance is not in a managed group, or if Auto Scaling could not be read. */
  readonly autoScalingGroupName: string | null;
  readonly lifecycleState: string | null;
  readonly cause: ReasonToLeave | null;
  readonly since: string | null;
  /** The time from which the remaining pods are deleted. */
  readonly until: string | null;
  readonly renewedAt: string | null;
  readonly waitsFor: string;
}

/** A launched instance that waits on Drover's launch hook, also on its way into a warm pool. */
export interface JoiningLine {
  readonly instanceId: string;
  readonly autoScalingGroupName: string;
  readonly lifecycleState: string;
}

/** The line of a leaving instance. Pure. */
export function leavingLine(instance: LeavingInstance): LeavingLine {
  const mark = instance.node?.mark;
  return {
    node: instance.node?.name ?? null,
    instanceId: instance.instanceId,
    autoScalingGroupName: instance.group?.autoScalingGroupName ?? null,
    lifecycleState: instance.member?.lifecycleState ?? null,
    cause: mark?.cause ?? null,
    since: mark?.since ?? null,
    until: mark?.until ?? null,
    renewedAt: mark?.renewedAt ?? null,
    waitsFor: waitsFor(instance),
  };
}

/** The instances of a group that wait on Drover's launch hook. Pure. */
export function joiningLines(
  { autoScalingGroupName, instances }: AutoScalingGroup,
  {
    hooks,
    joiningHookName,
  }: { readonly hooks: ReadonlyMap<string, readonly LifecycleHook[]>; readonly joiningHookName: string },
): readonly JoiningLine[] {
  if (!findLaunchingHook(hooks.get(autoScalingGroupName), joiningHookName)) return [];
  return instances
    .filter(isPendingWait)
    .map(({ instanceId, lifecycleState }) => ({ instanceId, autoScalingGroupName, lifecycleState }));
}

/** The instances that wait on Drover's launch hook on their way into a warm pool. Pure. */
export const poolLines = ({
  warmWaits,
  hooks,
  joiningHookName,
}: {
  readonly warmWaits: readonly WarmPoolWait[];
  readonly hooks: ReadonlyMap<string, readonly LifecycleHook[]>;
  readonly joiningHookName: string;
}): readonly JoiningLine[] =>
  warmWaits
    .filter((wait) => isWarmedPendingWait(wait) && !wait.isReturn)
    .filter(({ autoScalingGroupName: name }) => findLaunchingHook(hooks.get(name), joiningHookName))
    .map(({ instanceId, autoScalingGroupName, lifecycleState }) => ({
      instanceId,
      autoScalingGroupName,
      lifecycleState,
    }));

const startOf = ({ since }: LeavingLine): number =>
  since === null ? Number.MAX_SAFE_INTEGER : Date.parse(since);

/** Sorts by the time since which an instance is leaving; instances that have not begun come last. */
export const bySince = (one: LeavingLine, other: LeavingLine): number =>
  startOf(one) - startOf(other) || one.instanceId.localeCompare(other.instanceId);
