import { autoScalingClient } from '../../shared/aws/clients.ts';
import { awsConnection } from '../../shared/runtime/aws-connection.ts';
import { readConfig } from '../../shared/runtime/config.ts';
import type { CliContext } from '../context.ts';
import { CliError, exitCodes } from '../exit-codes.ts';
import { environmentOf, hostOf } from '../host.ts';
import { type HookRemoval, type HookToRemove, removeHook } from './remove-hook.ts';

export interface RemoveFlags {
  readonly hook?: string;
  readonly region?: string;
}

/** Removes a hook on which no instance waits. */
export async function removeFrom(group: string, flags: RemoveFlags, context: CliContext): Promise<void> {
  const host = hostOf(context, environmentOf(flags, context));
  const lifecycleHookName = flags.hook ?? readConfig(host.environment, ['leavingHookName']).leavingHookName;
  const named = { autoScalingGroupName: group, lifecycleHookName };
  const removal = await removeHook(autoScalingClient(awsConnection(host)), named);
  if (removal.kind !== 'removed') throw new CliError(refusal(removal, named), exitCodes.failed);
  context.stdout.write(`removed hook ${lifecycleHookName} from ${group}\n`);
}

function refusal(
  removal: Exclude<HookRemoval, { kind: 'removed' }>,
  { autoScalingGroupName, lifecycleHookName }: HookToRemove,
): string {
  switch (removal.kind) {
    case 'no-group':
      return `there is no Auto Scaling group ${autoScalingGroupName} in this account and region`;
    case 'no-hook':
      return `${autoScalingGroupName} has no hook ${lifecycleHookName}: name another with --hook`;
    case 'waiting':
      return `the hook was not removed: these instances wait and would terminate undrained: ${removal.instances.join(', ')}. Wait until they are gone, then try again`;
  }
}
