import { InvalidArgumentError, Option } from 'commander';
import type { MappedArn } from '../../shared/identity/mapping.ts';
import type { NodeRole } from '../../shared/identity/web-identity/trust.ts';
import { exitCodesHelp, failedOrRefused } from '../exit-codes.ts';
import type { RegisterCommand } from '../register.ts';
import type { AuthConfigFlags } from './auth-config.ts';

const help = `
The file is for --authentication-config of kube-apiserver, for Kubernetes 1.34 and later. With it, API servers accept the web identity tokens of
STS (drover token get --web-identity), without a webhook and without a stored secret. An instance becomes a bootstrap user of its role, and
requests its certificate. Without --issuer, the issuer of your account is read from IAM.

Examples:
  drover auth-config --cluster prod --node-role worker=arn:aws:iam::123456789012:role/worker > authentication.yaml
  drover auth-config --cluster prod --person ann,admins=arn:aws:iam::123456789012:role/ann --mapping aws-auth.yaml
  drover auth-config --cluster prod --node-role worker=arn:aws:iam::123456789012:role/worker --merge authentication.yaml
${exitCodesHelp(failedOrRefused)}`;

/** `drover auth-config`: the API servers' configuration for web identity tokens of STS. */
export const registerAuthConfig: RegisterCommand = (program, context) => {
  program
    .command('auth-config')
    .description('print the configuration with which API servers accept AWS identities without a webhook')
    .addOption(
      new Option('--cluster <name>', 'the id of the cluster').env('DROVER_CLUSTER').makeOptionMandatory(),
    )
    .addOption(
      new Option('--node-role <role=arn>', 'the IAM role of worker or control-plane instances; repeat it')
        .argParser(nodeRoleArgument)
        .default([]),
    )
    .addOption(
      new Option(
        '--person <name,group=arn>',
        'a user, with groups or without, for an IAM role or user; repeat it',
      )
        .argParser(personArgument)
        .default([]),
    )
    .option('--mapping <file>', 'more users: an aws-auth ConfigMap, or mapRoles and mapUsers')
    .option('--issuer <url>', 'the issuer of the AWS account')
    .option('--audience <text>', 'the audience of tokens (default: drover:CLUSTER)')
    .option('--any-metadata-version', 'accept instances that have their credentials from IMDSv1')
    .option('--discovery-url <url>', 'where API servers without access to AWS find the discovery document')
    .option('--certificate-authority <file>', 'the certificate authority of that address, in PEM')
    .option('--merge <file>', 'add the authenticator to this AuthenticationConfiguration')
    .option('--replace', 'with --merge: replace an authenticator for the same issuer')
    .option('--region <region>', 'the AWS region, instead of $AWS_REGION')
    .addHelpText('after', help)
    .action(async (flags: AuthConfigFlags) => {
      const { printAuthConfig } = await import('./auth-config.ts');
      await printAuthConfig(flags, context);
    });
};

/** @throws InvalidArgumentError */
function nodeRoleArgument(text: string, earlier: readonly NodeRole[]): readonly NodeRole[] {
  const [, role, arn = ''] = /^(worker|control-plane)=(.+)$/.exec(text) ?? [];
  if (role === undefined)
    throw new InvalidArgumentError('write worker=arn:aws:iam::123456789012:role/NAME, or control-plane=ARN');
  return [...earlier, { role: role as NodeRole['role'], arn }];
}

/** The name of a role may contain `=`; the text before its ARN must not. @throws InvalidArgumentError */
function personArgument(text: string, earlier: readonly MappedArn[]): readonly MappedArn[] {
  const [, names = '', arn] = /^([^=]+)=(arn:.+)$/.exec(text) ?? [];
  const [username = '', ...groups] = names.split(',');
  if (arn === undefined || username === '' || groups.includes(''))
    throw new InvalidArgumentError('write NAME=arn:aws:iam::123456789012:role/NAME, or NAME,GROUP,GROUP=ARN');
  return [...earlier, { arn, username, groups }];
}
