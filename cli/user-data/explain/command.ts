import type { Command } from 'commander';
import { withClusterFlags } from '../../cluster-flags.ts';
import type { CliContext } from '../../context.ts';
import { exitCodesHelp } from '../../exit-codes.ts';
import type { ExplainFlags } from './print.ts';

const help = `
It reads shell scripts (bootstrap.sh, kubeadm), NodeConfig, cloud-config, MIME, Ignition and the TOML of Bottlerocket; plain, in base64, compressed, or in the JSON of the AWS CLI. Credentials are named and never printed.
An instance needs the right ec2:DescribeInstanceAttribute.

Examples:
  drover user-data explain i-0123456789abcdef0
  drover user-data explain -f user-data.sh
  aws ec2 describe-launch-template-versions --launch-template-name workers --versions '$Latest' | drover user-data explain -f -
${exitCodesHelp()}`;

/** `drover user-data explain`: what a user data does, and what Drover would change. */
export function registerExplain(parent: Command, context: CliContext): void {
  withClusterFlags(
    parent
      .command('explain')
      .description('say what the user data of an instance or a file does, and what Drover would change')
      .argument('[instance]', 'an instance, or its Node')
      .option('-f, --filename <file>', 'a file with user data; - for standard input')
      .option('--region <region>', 'the AWS region; overrides $AWS_REGION')
      .option('--json', 'print JSON'),
  )
    .addHelpText('after', help)
    .action(async (instance: string | undefined, flags: ExplainFlags) => {
      const { printExplanation } = await import('./print.ts');
      await printExplanation(instance, flags, context);
    });
}
