import { autoScalingClient } from '../../shared/aws/clients.ts';
import { awsConnection } from '../../shared/runtime/aws-connection.ts';
import { readConfig } from '../../shared/runtime/config.ts';
import type { AutoScalingFlags } from '../auto-scaling/flags.ts';
import type { CliContext } from '../context.ts';
import { CliError, exitCodes } from '../exit-codes.ts';
import { environmentOf, hostOf } from '../host.ts';
import { type HookRemoval, type HookToRemove, removeHook } from './remove-hook.ts';

export interface RemoveFlags extends AutoScalingFlags {
  readonly hook?: string;
  /** The hook for launching instances, not the one for terminating instances. */
  readonly joining?: true;
  readonly dryRun?: true;
}

/** Removes a hook on which no instance waits. */
export async function removeFrom(group: string, flags: RemoveFlags, context: CliContext): Promise<void> {
  const host = hostOf(context, environmentOf(flags, context));
  const names = readConfig(host.environment, ['leavingHookName', 'joiningHookName']);
  const lifecycleHookName = flags.hook ?? (flags.joining ? names.joiningHookName : names.leavingHookName);
  const named = { autoScalingGroupName: group, lifecycleHookName };
  const removal = await removeHook(autoScalingClient(awsConnection(host)), {
    ...named,
    clusterName: host.environment.DROVER_CLUSTER,
    isDryRun: flags.dryRun === true,
  });
  if (removal.kind !== 'removed') throw new CliError(refusal(removal, named), exitCodes.failed);
  const verb = flags.dryRun ? 'would remove' : 'removed';
  context.stdout.write(`${verb} hook ${lifecycleHookName} from ${group}\n`);
}

function refusal(
  removal: Exclude<HookRemoval, { kind: 'removed' }>,
  {
    autoScalingGroupName,
    lifecycleHookName,
  }: Pick<HookToRemove, 'autoScalingGroupName' | 'lifecycleHookName'>,
): string {
  switch (removal.kind) {
    case 'no-group':
      return `there is no Auto Scaling group ${autoScalingGroupName} in this account and region`;
    case 'foreign':
      return `the hook was not removed: ${autoScalingGroupName} belongs to cluster ${removal.cluster}. Name that cluster with --cluster if you mean it`;
    case 'no-hook':
      return `${autoScalingGroupName} has no hook ${lifecycleHookName}: ${removal.others.length > 0 ? `it has ${removal.others.join(', ')}, which --hook can name` : 'it has no hook at all'}`;
    case 'waiting':
      return `the hook was not removed: these instances wait and would terminate undrained: ${removal.instances.join(', ')}. Wait until they are gone, then try again`;
  }
}
