import { type Command, Option } from 'commander';
import { bootstrapRoles } from '../../shared/credentials/token-cluster.ts';
import { withClusterFlags } from '../cluster-flags.ts';
import { endsAtSafePoint, exitCodesHelp } from '../exit-codes.ts';
import { interruptible } from '../interruption.ts';
import type { RegisterCommand } from '../register.ts';
import type { RotateFlags } from './rotate.ts';

const help = `
Works from this machine with its AWS credentials, and otherwise as the deployed function does: give it the same DROVER_*
variables. The cluster is reached by the kubeconfig in DROVER_CREDENTIALS_KUBECONFIG_PARAMETER, else in
DROVER_KUBECONFIG_PARAMETER (/drover/CLUSTER/kubeconfig), or by a file with --kubeconfig.

Examples:
  drover rotate --cluster prod --dry-run       what would be done, and why
  drover rotate --cluster prod                 a new credential now; old ones are retired after the overlap
  drover rotate --cluster prod --if-due --json
  drover rotate --cluster prod --role control-plane
${exitCodesHelp(endsAtSafePoint)}`;

/** `drover rotate`: the rotation of the bootstrap credential, by hand. */
export const registerRotate: RegisterCommand = (program, context) => {
  withRotationFlags(program.command('rotate'))
    .description('publish a new bootstrap credential for nodes, and retire old ones')
    .option('--dry-run', 'say what would be done and why, and change nothing')
    .option('--if-due', 'only when a new one is due, as the schedule does')
    .option('--json', 'print JSON')
    .addHelpText('after', help)
    .action(async (flags: RotateFlags) => {
      const { rotate } = await import('./rotate.ts');
      await interruptible(context, (interruptibly) => rotate(flags, interruptibly));
    });
};

/** Which credentials a command is about, and how it reaches the cluster. */
export const withRotationFlags = (command: Command): Command =>
  withClusterFlags(command)
    .addOption(
      new Option(
        '--role <role>',
        'the nodes that the credential is for (default: each in $DROVER_BOOTSTRAP_ROLES)',
      ).choices(bootstrapRoles),
    )
    .option('--cluster <name>', 'the cluster; overrides $DROVER_CLUSTER')
    .option('--region <region>', 'the AWS region; overrides $AWS_REGION')
    .option(
      '--parameter <name>',
      'the parameter in which it is published; overrides $DROVER_BOOTSTRAP_PARAMETER (/drover/CLUSTER/bootstrap-kubeconfig)',
    );
