import { putLifecycleHook } from '../../shared/aws/lifecycle-hooks.ts';
import { durationText } from '../../shared/base/duration.ts';
import { globalTimeoutSecondsOf } from '../../shared/groups/hook-timing.ts';
import { autoScalingAccess } from '../auto-scaling/access.ts';
import type { AutoScalingFlags } from '../auto-scaling/flags.ts';
import { managedGroup } from '../auto-scaling/groups.ts';
import type { CliContext } from '../context.ts';
import { CliError, exitCodes } from '../exit-codes.ts';
import { oneLine } from '../plain-text.ts';
import { type InstallPlan, planInstall } from './plan-install.ts';
import { planInstallJoining } from './plan-install-joining.ts';

export interface InstallFlags extends AutoScalingFlags {
  readonly heartbeat: number;
  readonly defaultResult: 'CONTINUE' | 'ABANDON';
  readonly dryRun?: true;
  /** The hook for launching instances, not the one for terminating instances. */
  readonly joining?: true;
}

/** Puts Drover's hook on a managed group as the flags say, and prints what it changed. */
export async function installHook(name: string, flags: InstallFlags, context: CliContext): Promise<void> {
  const access = autoScalingAccess(flags, context);
  const group = await managedGroup(access, name);
  const hooks = await access.describeHooks(name);
  const wanted = { heartbeatTimeoutSeconds: flags.heartbeat, defaultResult: flags.defaultResult };
  const lifecycleHookName = flags.joining ? access.joiningHookName : access.leavingHookName;
  const plan = flags.joining
    ? planInstallJoining({ hooks, names: access, wanted })
    : planInstall({ group, hooks, names: access, wanted });
  if (plan.kind === 'refuse') throw new CliError(`${name} gets no hook: ${plan.reason}`, exitCodes.failed);
  // Also a hook that seems to be as wanted: Auto Scaling's description may be seconds old.
  if (!flags.dryRun)
    await putLifecycleHook(access.client, {
      autoScalingGroupName: name,
      lifecycleHookName,
      transition: flags.joining ? 'launching' : 'terminating',
      ...wanted,
    });
  const what = { hookName: lifecycleHookName, groupName: name, flags };
  context.stdout.write(`${wordsOf(plan, what)}\n`);
  if (flags.joining) context.stdout.write(`${whyOf[flags.defaultResult]}\n`);
  for (const warning of plan.warnings) context.stderr.write(`warning: ${oneLine(`${name}: ${warning}`)}\n`);
}

/** The default result applies when no heartbeat comes for a whole heartbeat timeout: Drover itself does not run. */
const whyOf = {
  CONTINUE: 'CONTINUE: while Drover does not run, launched instances go into service, as without the hook',
  ABANDON:
    'ABANDON: while Drover does not run, launched instances are terminated, and Auto Scaling launches others',
} as const;

function wordsOf(
  plan: Exclude<InstallPlan, { kind: 'refuse' }>,
  {
    hookName,
    groupName,
    flags,
  }: { readonly hookName: string; readonly groupName: string; readonly flags: InstallFlags },
): string {
  if (plan.kind === 'keep') return `${groupName} has hook ${hookName} as wanted already`;
  const verbs = { create: ['put', 'would put'], change: ['changed', 'would change'] }[plan.kind];
  const verb = verbs[flags.dryRun ? 1 : 0];
  const longest = durationText(globalTimeoutSecondsOf(flags.heartbeat));
  return `${verb} hook ${hookName} on ${groupName}: ${plan.words.join(', ')}; it can hold an instance for ${longest}`;
}
