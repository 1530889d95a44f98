import { Option } from 'commander';
import { withAutoScalingFlags } from '../auto-scaling/flags.ts';
import { withClusterFlags } from '../cluster-flags.ts';
import { durationWithUnit } from '../durations.ts';
import { exitCodesHelp } from '../exit-codes.ts';
import type { RegisterCommand } from '../register.ts';
import type { OwnKubeconfigFlags } from './own-kubeconfig.ts';
import { defaultSeconds, longestSeconds, shortestSeconds } from './renewal.ts';

const help = `
Asks the API server for a token of the ServiceAccount drover in kube-system (drover rbac creates it), proves it, and stores a kubeconfig with
it in Parameter Store. Reads this machine's kubeconfig only to ask, and stores its address and authority, never its credential.
The functions read the parameter again after a response of 401, so an old token may just expire. Run it on a schedule of yours with --if-due:
it renews in the last third of the time. drover doctor shows when the token expires. To end a token early, delete the ServiceAccount, apply
drover rbac again, and run this command.

Examples:
  drover kubeconfig --cluster prod
  drover kubeconfig --cluster prod --if-due --yes                      every day, as an administrator of the cluster
  drover kubeconfig --cluster prod --server https://api.internal:6443  the address that functions reach
${exitCodesHelp()}`;

/** `drover kubeconfig`: how Drover's functions sign in, if not by IAM. */
export const registerOwnKubeconfig: RegisterCommand = (program, context) => {
  withClusterFlags(withAutoScalingFlags(program.command('kubeconfig')))
    .description('store a kubeconfig with a new token for the functions, which expires')
    .addOption(
      new Option('--duration <duration>', 'how long the token is valid; the API server may allow less')
        .argParser((text) => durationWithUnit(text, { minimum: shortestSeconds, maximum: longestSeconds }))
        .default(defaultSeconds, '30d'),
    )
    .option('--if-due', 'do nothing in the first two thirds of the time of the stored token')
    .option(
      '--server <url>',
      'the address at which functions reach the API server (default: the stored one, else that of the kubeconfig)',
    )
    .option(
      '--replace-cluster',
      'also replace a stored kubeconfig of another cluster or with another authority',
    )
    .option(
      '--parameter <name>',
      'overrides $DROVER_KUBECONFIG_PARAMETER (default: the parameter that the deployed functions read)',
    )
    .option('--stage <stage>', 'the stage of the deployment (default: the only one that serves the cluster)')
    .option(
      '--kms-key <id>',
      'the key of a new parameter (default: the key of the account); an existing one keeps its key',
    )
    .option('--plan', 'only say what would be done')
    .option('--yes', 'do it without a question')
    .addHelpText('after', help)
    .action(async (flags: OwnKubeconfigFlags) => {
      const { storeOwnKubeconfig } = await import('./own-kubeconfig.ts');
      await storeOwnKubeconfig(flags, context);
    });
};
