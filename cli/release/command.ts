import { withAutoScalingFlags } from '../auto-scaling/flags.ts';
import { withClusterFlags } from '../cluster-flags.ts';
import { endsAtSafePoint, exitCodesHelp } from '../exit-codes.ts';
import type { RegisterCommand } from '../register.ts';
import { withRoomFlag } from '../room/flags.ts';
import type { ReleaseFlags } from './release.ts';

const help = `
Completes the waits of Drover's lifecycle hooks with CONTINUE, as if they were over: an instance that leaves terminates at once, with the pods
that still run there, whatever their budgets; an instance that launches goes into service, whether its node is Ready or not. Hooks of others
are not completed. It says first what that means for each instance, and asks; --plan only says it. Members of etcd need --etcd-members.
Works with this machine's AWS credentials while Drover is paused, broken or removed, and with a kubeconfig if there is one.

Examples:
  drover release i-0123456789abcdef0 --plan     what waits, what would be lost, and where its pods would go
  drover release i-0123456789abcdef0
  drover release workers --cluster prod --yes   every instance of the group that waits
${exitCodesHelp({
  done: 'done, or nothing waits',
  failed: 'an instance could not be released: the message says which, and why',
  ...endsAtSafePoint,
})}`;

/** `drover release INSTANCE|GROUP`: ends waits on Drover's hooks by hand. */
export const registerRelease: RegisterCommand = (program, context) => {
  withRoomFlag(withClusterFlags(withAutoScalingFlags(program.command('release'))), '--plan')
    .description('complete Drover’s waits of an instance or a group, without a drain')
    .argument('<instance|group>', 'the id of an instance, or an Auto Scaling group')
    .option('--etcd-members', 'members of etcd too: they stay in the member list of etcd')
    .option('--plan', 'say what would be done, and change nothing')
    .option('--yes', 'do it without a question')
    .option('--json', 'print JSON')
    .addHelpText('after', help)
    .action(async (name: string, flags: ReleaseFlags) => {
      const { release } = await import('./release.ts');
      await release(name, flags, context);
    });
};
