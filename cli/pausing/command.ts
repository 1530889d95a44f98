import type { Command } from 'commander';
import { withAutoScalingFlags } from '../auto-scaling/flags.ts';
import { withClusterFlags } from '../cluster-flags.ts';
import { exitCodesHelp } from '../exit-codes.ts';
import type { RegisterCommand } from '../register.ts';
import type { PauseFlags } from './pause.ts';

const codes = exitCodesHelp({
  done: 'done, or nothing was left to do',
  failed: 'failed, for one group at least: the message says why',
});

const pauseHelp = `
Sets the tag drover.dev/paused on the group, or on every managed group of the cluster; a pass sees it within 20 seconds. Nothing
is drained, deleted or completed meanwhile, but waits are kept up with heartbeats: the command says how long each instance that
waits can be held. It cannot hold what EC2 takes back. Works with this machine's AWS credentials, and with a kubeconfig if
there is one. Without a group it asks first at a terminal; in a pipe it does not.

Examples:
  drover pause workers --cluster prod
  drover pause --cluster prod --dry-run         every managed group: what would happen, and which instances wait
  drover pause --json | jq '.waiting[].heldUntil'
${codes}`;

const resumeHelp = `
Examples:
  drover resume workers --cluster prod
  drover resume --cluster prod                  every managed group, paused by any user
${codes}`;

/** `drover pause [GROUP]` and `drover resume [GROUP]`: docs/adr/0007. */
export const registerPause: RegisterCommand = (program, context) => {
  withClusterFlags(shaped(program.command('pause')))
    .description('keep nodes from leaving: passes heartbeat and do nothing else')
    .addHelpText('after', pauseHelp)
    .action(async (group: string | undefined, flags: PauseFlags) => {
      const { pause } = await import('./pause.ts');
      await pause(group, flags, context);
    });
  shaped(program.command('resume'))
    .description('end a pause')
    .addHelpText('after', resumeHelp)
    .action(async (group: string | undefined, flags: PauseFlags) => {
      const { resume } = await import('./pause.ts');
      await resume(group, flags, context);
    });
};

const shaped = (command: Command): Command =>
  withAutoScalingFlags(command)
    .argument('[group]', 'the Auto Scaling group; left out: every managed group of the cluster')
    .option('--dry-run', 'say what would change, and change nothing')
    .option('--plan', 'the same as --dry-run')
    .option('--yes', 'change every managed group without a question')
    .option('--json', 'print JSON');
