import { exitCodesHelp } from '../exit-codes.ts';
import type { RegisterCommand } from '../register.ts';
import { type PlanFlags, withPlanFlags } from './flags.ts';

const help = `
Places pods as kube-scheduler would, by their requests, and changes nothing. Without workloads, -f and --pods it plans the pods that are
Pending now. A number of replicas is a total: pods that exist already count towards it. Reads the cluster with this machine's kubeconfig
and the groups with its AWS credentials. docs/room-for-pods.md explains the output.

Examples:
  drover plan -f web.yaml --cluster prod                 what fits, how many nodes more it needs, what fits nowhere
  drover plan deployment/web -n shop --times 1.5
  drover plan --pods 40 --cpu 500m --memory 1Gi
  drover plan                                            for the pods that are Pending now
  drover plan -f web.yaml --group spot --group on-demand     spot first
  drover plan deployment/web --replicas 60 --explain web-5d9c7-41
  kustomize build . | drover plan -f - --json | jq '.groups[] | select(.newNodes > 0)'
${exitCodesHelp({
  done: 'all pods fit, now or with the new nodes',
  failed: 'some pods do not fit or cannot be planned, or it failed: the message says why',
  usage: 'the command line or a manifest is wrong',
})}`;

/** `drover plan`: how many nodes pods need, before they exist. */
export const registerPlan: RegisterCommand = (program, context) => {
  withPlanFlags(program.command('plan'))
    .description('say whether pods fit, and how many nodes more they need')
    .argument('[workload...]', 'workloads of the cluster, such as deployment/web')
    .addHelpText('after', help)
    .action(async (names: readonly string[], flags: PlanFlags) => {
      const { plan } = await import('./plan.ts');
      await plan(names, flags, context);
    });
};
