import { type Command, InvalidArgumentError, Option } from 'commander';
import type { CliContext } from '../context.ts';
import { durationSeconds } from '../durations.ts';
import { exitCodesHelp } from '../exit-codes.ts';
import type { GetFlags } from './get.ts';
import type { MapFlags } from './map.ts';
import type { VerifyFlags } from './verify.ts';
import type { WebhookConfigFlags } from './webhook-config.ts';

const getHelp = `
The token proves for 15 minutes which AWS identity made it, to one cluster, but no longer than the credentials that sign it. It is cached until a minute before
its expiry in a file that only this user can read, also for a role that a profile or --role-arn assumes. Another sign-in, role, session or external id gets a
token of its own. With --web-identity it is a JWT that STS signs, which also names the instance whose credentials ask.

Examples:
  drover token get --cluster prod --region eu-west-1
  drover token get --cluster prod --raw | drover token verify --cluster prod
  drover token get --cluster prod --role-arn arn:aws:iam::123456789012:role/dev
  drover token get --cluster prod --web-identity --duration 15m
As the credential plugin of a kubeconfig:
  users:
    - name: me
      user:
        exec:
          apiVersion: client.authentication.k8s.io/v1
          interactiveMode: Never
          command: drover
          args: [token, get, --cluster, prod, --region, eu-west-1]
${exitCodesHelp()}`;

const verifyHelp = `
Reads tokens from the standard input, one a line. Each is put to AWS STS, as the token webhook does. No token is printed.

Examples:
  drover token get --cluster prod --raw | drover token verify --cluster prod
  drover token verify --cluster prod --json < tokens.txt | jq 'select(.accepted | not) | .reason'
  drover token verify --cluster prod --no-sts < tokens.txt          only what the text itself says
${exitCodesHelp({ failed: 'a token is not accepted, or the command failed: the message says why' })}`;

const mapHelp = `
The file is the ConfigMap kube-system/aws-auth, or has mapRoles, mapUsers and mapAccounts at its top.

Examples:
  drover token map arn:aws:sts::123456789012:assumed-role/dev/ann --config aws-auth.yaml
  kubectl -n kube-system get configmap aws-auth -o yaml > aws-auth.yaml
${exitCodesHelp({ failed: 'no entry names the ARN, or the command failed: the message says why' })}`;

const webhookHelp = `
The kubeconfig holds the secret. The API server caches the answers of the webhook: a user who is removed from the mapping can still log in for
that long, and 40 seconds more.

Examples:
  drover token webhook-config --cluster prod --url https://abc.execute-api.eu-west-1.amazonaws.com/token-review > token-webhook.yaml
  drover token webhook-config --cluster prod --url https://abc.execute-api.eu-west-1.amazonaws.com/token-review --openshift-3.11 > token-webhook.yaml
${exitCodesHelp()}`;

/** Of shared/aws/web-identity.ts, which imports the SDK: that is loaded when a token is made. */
const signingAlgorithms = [
  'ES384',
  'RS256',
] as const satisfies typeof import('../../shared/aws/web-identity.ts').signingAlgorithms;

/** As STS allows. @throws InvalidArgumentError */
function lifetimeSeconds(text: string): number {
  const seconds = durationSeconds(text);
  if (seconds < 60 || seconds > 3600) throw new InvalidArgumentError('write a duration from 1m to 1h');
  return seconds;
}

const clusterOption = () =>
  new Option('--cluster <name>', 'the id of the cluster that the token is for')
    .env('DROVER_CLUSTER')
    .makeOptionMandatory();

/** `drover token get|verify|map|webhook-config`: tokens of AWS identities. */
export function registerIdentityCommands(token: Command, context: CliContext): void {
  token
    .command('get')
    .description('make a token of your AWS identity for a cluster, as its kubeconfig asks for one')
    .addOption(clusterOption())
    .option('--region <region>', 'the region whose STS confirms it; overrides $AWS_REGION and the profile')
    .option('--profile <name>', 'the AWS profile; overrides $AWS_PROFILE')
    .option('--role-arn <arn>', 'assume this role, and make a token of it')
    .option('--session-name <name>', 'with --role-arn: the name of its session (default: drover)')
    .option('--external-id <id>', 'with --role-arn: the external id that its trust policy asks for')
    .option('--fips', 'name the FIPS endpoint of STS')
    .option('--no-cache', 'make a new token, and keep none')
    .option('--raw', 'print only the token')
    .option(
      '--web-identity',
      'a JWT of STS for an API server with drover auth-config, instead of a presigned request',
    )
    .option('--audience <text>', 'with --web-identity: for whom it is (default: drover:CLUSTER)')
    .addOption(
      new Option('--duration <duration>', 'with --web-identity: how long it is good, 1m to 1h')
        .argParser(lifetimeSeconds)
        .default(300, '5m'),
    )
    .addOption(
      new Option('--algorithm <name>', 'with --web-identity: how it is signed')
        .choices(signingAlgorithms)
        .default('ES384'),
    )
    .addHelpText('after', getHelp)
    .action(async (flags: GetFlags) => {
      const { getToken } = await import('./get.ts');
      await getToken(flags, context);
    });
  token
    .command('verify')
    .description('say whose tokens these are, or which check refuses them')
    .addOption(clusterOption())
    .option('--partition <name>', 'the partition whose STS may be named: aws, aws-cn, aws-us-gov, ...', 'aws')
    .option(
      '--sts-endpoint <url>',
      'ask this server instead of $AWS_ENDPOINT_URL_STS and the one that the token names',
    )
    .option('--no-sts', 'check the token offline, without calling STS')
    .option('--json', 'print a line of JSON for each token')
    .addHelpText('after', verifyHelp)
    .action(async (flags: VerifyFlags) => {
      const { verifyTokens } = await import('./verify.ts');
      await verifyTokens(flags, context);
    });
  token
    .command('webhook-config')
    .description('print the kubeconfig by which API servers find the token webhook')
    .addOption(clusterOption())
    .requiredOption('--url <url>', 'the address of the webhook: TokenWebhookUrl of the stack')
    .option('--region <region>', 'the AWS region; overrides $AWS_REGION')
    .option('--parameter <name>', 'where the secrets are (default: /drover/CLUSTER/token-webhook)')
    .option(
      '--file <path>',
      'where the API server finds it (default: /etc/kubernetes/token-webhook.yaml, on OpenShift /etc/origin/master/token-webhook.yaml)',
    )
    .option('--openshift-3.11', 'say how OpenShift 3.11 takes it, in its master-config.yaml')
    .addHelpText('after', webhookHelp)
    .action(async (flags: WebhookConfigFlags) => {
      const { printWebhookConfig } = await import('./webhook-config.ts');
      await printWebhookConfig(flags, context);
    });
  token
    .command('map')
    .description('say who an AWS identity is in the cluster, and which entry says so')
    .argument('<arn>', 'the ARN of a role, a user or a session')
    .requiredOption('--config <file>', 'the mapping')
    .option('--configmap', 'read it with the limits of a ConfigMap: no system:masters')
    .option('--json', 'print JSON')
    .addHelpText('after', mapHelp)
    .action(async (arn: string, flags: MapFlags) => {
      const { mapArn } = await import('./map.ts');
      await mapArn(arn, flags, context);
    });
}
