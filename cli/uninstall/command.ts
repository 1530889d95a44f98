import { withAutoScalingFlags } from '../auto-scaling/flags.ts';
import { withClusterFlags } from '../cluster-flags.ts';
import { durationSeconds } from '../durations.ts';
import { endsAtSafePoint, exitCodesHelp } from '../exit-codes.ts';
import type { RegisterCommand } from '../register.ts';
import type { UninstallFlags } from './uninstall.ts';

const help = `
Takes every group of the cluster out of Drover's care, as drover leave does. While the stack is there it stops then, with the command that
deletes the stack. Run again, it deletes what no stack deletes: admission policies, bootstrap tokens, marks on Nodes, schedules, parameters,
queues, flow control and RBAC. At the end it reads everything again and prints what is left, by kind. It asks first; a run that was ended is
continued by the next one. Records of etcd, and parameters of etcd and the PKI, are kept.

Examples:
  drover uninstall --cluster prod --plan
  drover uninstall --cluster prod --stage prod --wait 30m
  drover uninstall --cluster prod --yes --json | jq '.kinds[] | select(.left != [])'
${exitCodesHelp({
  done: 'done: nothing is left, or only what is kept on purpose',
  failed: 'something is left or could not be read, or an instance waits: the message says how to go on',
  ...endsAtSafePoint,
})}`;

/** `drover uninstall`: removes Drover from a cluster. */
export const registerUninstall: RegisterCommand = (program, context) => {
  withClusterFlags(withAutoScalingFlags(program.command('uninstall')))
    .description('take all groups out of Drover’s care, and delete what it has left')
    .option('--stage <stage>', 'the stage of the deployment, also if its stack is gone')
    .option('--wait <duration>', 'how long to wait until no instance of a group waits', durationSeconds, 0)
    .option('--without-cluster', 'leave everything in the API server alone: the cluster is gone')
    .option('--all-parameters', 'delete also the parameters of etcd and the PKI')
    .option('--plan', 'say what would be done, and change nothing')
    .option('--yes', 'do it without a question')
    .option('--json', 'print JSON')
    .addHelpText('after', help)
    .action(async (flags: UninstallFlags) => {
      const { uninstall } = await import('./uninstall.ts');
      await uninstall(flags, context);
    });
};
