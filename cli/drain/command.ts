import { withClusterFlags } from '../cluster-flags.ts';
import { endsAtSafePoint, exitCodesHelp } from '../exit-codes.ts';
import type { RegisterCommand } from '../register.ts';
import { type DrainFlags, withDrainFlags } from './flags.ts';

const help = `
It restarts no rollout for pods that ask for one before an eviction (drover.dev/restart-before-eviction), as the drain of a leaving node does: a
warning names them.

Examples:
  drover drain ip-10-0-1-7.eu-west-1.compute.internal --dry-run --ignore-daemonsets
  drover drain NODE --ignore-daemonsets --delete-emptydir-data --timeout 10m
  drover drain NODE --ignore-daemonsets --force --deadline 5m     empty after five minutes, past every budget
  drover drain NODE --dry-run --json | jq '.pods[] | select(.verdict == "refuse")'
${exitCodesHelp({
  refused: 'refused: some pods need a flag or manual action; no pods were evicted',
  timedOut: 'the given time is over and something is left',
  ...endsAtSafePoint,
})}`;

/** `drover drain NODE`: the drain of a leaving node, by hand, on any cluster that a kubeconfig reaches. */
export const registerDrain: RegisterCommand = (program, context) => {
  withClusterFlags(withDrainFlags(program.command('drain')))
    .description('cordon a node and evict its pods, within their budgets')
    .argument('<node>', 'the name of the Node, its first label, or the id of its instance')
    .addHelpText('after', help)
    .action(async (nodeName: string, flags: DrainFlags) => {
      const { drain } = await import('./drain.ts');
      await drain(nodeName, flags, context);
    });
};
