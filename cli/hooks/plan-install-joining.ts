import type { LifecycleHook } from '../../shared/groups/group.ts';
import { changesOf, contentsOf, type InstallPlan, type WantedHook } from './plan-install.ts';

interface InstallJoiningInput {
  readonly hooks: readonly LifecycleHook[];
  readonly names: { readonly joiningHookName: string; readonly etcdLaunchHookName: string };
  readonly wanted: WantedHook;
}

/** What has to be done for the group to have Drover's hook on launching instances as wanted. Pure. */
export function planInstallJoining({ hooks, names, wanted }: InstallJoiningInput): InstallPlan {
  const { joiningHookName, etcdLaunchHookName } = names;
  const before = hooks.find((hook) => hook.lifecycleHookName === joiningHookName);
  if (before?.transition === 'terminating')
    return {
      kind: 'refuse',
      reason: `${joiningHookName} is a hook for terminating instances, which Drover did not create: remove it, or give Drover’s hook another name (DROVER_JOINING_HOOK, the parameter joiningHook of the deployment)`,
    };
  if (
    wanted.defaultResult === 'ABANDON' &&
    hooks.some((hook) => hook.lifecycleHookName === etcdLaunchHookName)
  )
    return {
      kind: 'refuse',
      reason: `the default result must be CONTINUE beside ${etcdLaunchHookName}: ABANDON would terminate new members of etcd`,
    };
  const words = before ? changesOf(before, wanted) : contentsOf(wanted);
  if (words.length === 0) return { kind: 'keep', warnings: [] };
  return { kind: before ? 'change' : 'create', words, warnings: [] };
}
