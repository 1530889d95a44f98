import { autoScalingClient } from '../../shared/aws/clients.ts';
import { awsConnection } from '../../shared/runtime/aws-connection.ts';
import { readConfig } from '../../shared/runtime/config.ts';
import type { CliContext } from '../context.ts';
import { CliError, exitCodes } from '../exit-codes.ts';
import { hostOf } from '../host.ts';
import type { RegisterCommand } from '../register.ts';
import { type HookRemoval, type HookToRemove, removeHook } from './remove-hook.ts';

const help = `
Refuses while an instance of the group waits on any hook: Auto Scaling would let it go at once, undrained. Works with this
machine's AWS credentials.

Example:
  drover hooks remove workers`;

/** `drover hooks`: the lifecycle hooks of groups. */
export const registerHooks: RegisterCommand = (program, context) => {
  const hooks = program.command('hooks').description('the lifecycle hooks of Auto Scaling groups');
  hooks
    .command('remove')
    .description('remove a hook from a group, unless an instance waits')
    .argument('<group>', 'the Auto Scaling group')
    .option('--hook <name>', 'in place of $DROVER_LEAVING_HOOK or drover-node-leaving')
    .addHelpText('after', help)
    .action(
      async (group: string, flags: { readonly hook?: string }) => await remove(group, flags.hook, context),
    );
};

async function remove(group: string, hook: string | undefined, context: CliContext): Promise<void> {
  const host = hostOf(context, context.environment);
  const lifecycleHookName = hook ?? readConfig(host.environment, ['leavingHookName']).leavingHookName;
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
      return `the hook stays, for instances wait and would go undrained: ${removal.instances.join(', ')}. Let them finish, then remove it again`;
  }
}
