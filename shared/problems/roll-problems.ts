import type { AutoScalingGroup, LifecycleHook } from '../groups/group.ts';
import { type HookNames, hookProblems } from './hook-problems.ts';
import { whyUnmanaged } from './tag-problems.ts';

/** What keeps Drover from replacing the nodes of a group. */
export const rollProblems = (group: AutoScalingGroup, hooks: readonly LifecycleHook[], names: HookNames) => ({
  whyUnmanaged: whyUnmanaged(group, names.clusterName),
  hookProblems: hookProblems(group, hooks, names),
});
