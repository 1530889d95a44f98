import { exitCodesHelp } from '../exit-codes.ts';
import type { RegisterCommand } from '../register.ts';
import { type PlanFlags, withPlanFlags } from './flags.ts';

const help = `
Places the pods as kube-scheduler would, by their requests, and changes nothing. Without pods it plans those that are Pending now.
Reads the cluster with this machine's kubeconfig and the groups with its AWS credentials. docs/room-for-pods.md explains the output.

Examples:
  drover plan --cluster prod                             what the pods need that are Pending now
  drover plan --pods 40 --cpu 500m --memory 1Gi
  drover plan --pods 40 --cpu 500m --group spot --group on-demand     spot first
  drover plan --pods 40 --cpu 500m --explain planned-3
  drover plan --pods 40 --cpu 500m --json | jq '.groups[] | select(.newNodes > 0)'
${exitCodesHelp({
  done: 'all pods fit, now or with the new nodes',
  failed: 'some pods do not fit or cannot be planned, or it failed: the message says why',
  usage: 'the command line is wrong',
})}`;

/** `drover plan`: how many nodes pods need, before they exist. */
export const registerPlan: RegisterCommand = (program, context) => {
  withPlanFlags(program.command('plan'))
    .description('say whether pods fit, and how many nodes more they need')
    .addHelpText('after', help)
    .action(async (flags: PlanFlags) => {
      const { plan } = await import('./plan.ts');
      await plan(flags, context);
    });
};
