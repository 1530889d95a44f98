import { Option } from 'commander';
import { withAutoScalingFlags } from '../auto-scaling/flags.ts';
import { withClusterFlags } from '../cluster-flags.ts';
import { durationWithUnit } from '../durations.ts';
import { endsAtSafePoint, exitCodesHelp } from '../exit-codes.ts';
import type { RegisterCommand } from '../register.ts';
import type { TrialFlags } from './trial.ts';

const help = `
Adds one node to a group of workers for 5 to 15 minutes, to prove that a deployment works: a hold launches it, it joins, two pods that do nothing start
on it, and it is drained and leaves. Other pods are not moved. The trial cleans up at its end and after Ctrl-C; --clean-up does so after a crash.

Examples:
  drover trial workers --cluster prod --plan        what would be done
  drover trial workers --cluster prod --yes
  drover trial workers --image registry.example/pause:3.10      without a way to registry.k8s.io
  drover trial --clean-up --cluster prod
${exitCodesHelp({
  done: 'every step has passed, and nothing is left',
  failed: 'refused, a step has failed, or something is left: the message says what to do',
  ...endsAtSafePoint,
})}`;

/** `drover trial GROUP`: a node joins and leaves, to prove that a deployment works. */
export const registerTrial: RegisterCommand = (program, context) => {
  withClusterFlags(withAutoScalingFlags(program.command('trial')))
    .description('add a node to a group and drain it again, to prove that a deployment works')
    .argument('[group]', 'the Auto Scaling group of workers')
    .option('--clean-up', 'end what a trial that was killed has left')
    .option('--image <image>', 'the image of the pods, which do nothing', 'registry.k8s.io/pause:3.10')
    .option('--evict-others', 'evict other pods that have come to the new node, within their budgets')
    .addOption(
      new Option('--timeout <duration>', 'how long the node may take to join, and to be drained')
        .argParser((text) => durationWithUnit(text, { minimum: 60 }))
        .default(1800, '30m'),
    )
    .option('--stage <stage>', 'the stage of the deployment, where several may serve the cluster')
    .option('--plan', 'say what would be done, and change nothing')
    .option('--yes', 'do it without a question')
    .option('--json', 'print JSON')
    .addHelpText('after', help)
    .action(async (group: string | undefined, flags: TrialFlags) => {
      const { trial } = await import('./trial.ts');
      await trial(group, flags, context);
    });
};
