import { withAutoScalingFlags } from '../auto-scaling/flags.ts';
import { withClusterFlags } from '../cluster-flags.ts';
import { durationSeconds } from '../durations.ts';
import { endsAtSafePoint, exitCodesHelp } from '../exit-codes.ts';
import type { RegisterCommand } from '../register.ts';
import type { LeaveFlags } from './leave.ts';

const help = `
Takes the steps in this order: waits until no instance waits on a hook of Drover, pauses the group, deletes its schedules and holds, gives
MinSize and MaxSize back, uncordons and unmarks its Nodes, gives certificate approval back to kube-controller-manager, deletes the hooks, then
the tags drover.dev/... . It never deletes a hook while an instance waits: Auto Scaling would terminate it. It prints the steps first and asks.
A run that was ended is continued by the next one. Works with the stack gone.

Examples:
  drover leave workers --plan                   every step, and what it risks
  drover leave workers --cluster prod --wait 30m
  drover leave workers --yes --json
${exitCodesHelp({
  done: 'done, or nothing of Drover is left on the group',
  failed: 'failed, or an instance waits: the message says how to go on',
  ...endsAtSafePoint,
})}`;

/** `drover leave GROUP`: takes an Auto Scaling group out of Drover's care. */
export const registerLeave: RegisterCommand = (program, context) => {
  withClusterFlags(withAutoScalingFlags(program.command('leave')))
    .description('take a group out of Drover’s care, step by step')
    .argument('<group>', 'the Auto Scaling group')
    .option('--wait <duration>', 'how long to wait until no instance waits on a hook', durationSeconds, 0)
    .option('--without-cluster', 'leave Nodes and certificate approval alone: the cluster is gone')
    .option('--plan', 'say what would be done, and change nothing')
    .option('--yes', 'do it without a question')
    .option('--json', 'print JSON')
    .addHelpText('after', help)
    .action(async (name: string, flags: LeaveFlags) => {
      const { leave } = await import('./leave.ts');
      await leave(name, flags, context);
    });
};
