import {
  DescribeParametersCommand,
  type DescribeParametersCommandOutput,
  type SSMClient,
} from '@aws-sdk/client-ssm';
import { ssmClient } from '../../shared/aws/clients.ts';
import { createParameterStore } from '../../shared/aws/parameters.ts';
import { withoutSecret } from '../../shared/credentials/redact.ts';
import { createApi } from '../../shared/kubernetes/api.ts';
import type { ClusterConnection } from '../../shared/kubernetes/connection.ts';
import { awsConnection } from '../../shared/runtime/aws-connection.ts';
import type { AutoScalingFlags } from '../auto-scaling/flags.ts';
import { connectionsTo } from '../cluster.ts';
import type { ClusterFlags } from '../cluster-flags.ts';
import { type ConfirmFlags, confirmed } from '../confirm.ts';
import type { CliContext } from '../context.ts';
import { type Credential, readCredential } from '../doctor/credential.ts';
import { CliError, exitCodes } from '../exit-codes.ts';
import { environmentOf, hostOf } from '../host.ts';
import { oneLine } from '../plain-text.ts';
import { deployedParameter } from './parameter.ts';
import { isDue, isShortened } from './renewal.ts';
import { proveToken, requestToken, username } from './service-account.ts';
import { apiServerOf, chooseServer, storedServerOf } from './target.ts';

export interface OwnKubeconfigFlags extends AutoScalingFlags, ClusterFlags, ConfirmFlags {
  readonly duration: number;
  readonly ifDue?: true;
  readonly server?: string;
  readonly parameter?: string;
  readonly stage?: string;
  readonly kmsKey?: string;
  readonly replaceCluster?: true;
}

/** Stores a kubeconfig with a new token for the functions, after it has said what that replaces. */
export async function storeOwnKubeconfig(flags: OwnKubeconfigFlags, context: CliContext): Promise<void> {
  const host = hostOf(context, environmentOf(flags, context));
  const clusterName = host.environment.DROVER_CLUSTER;
  if (!clusterName) throw new CliError('name the cluster with --cluster', exitCodes.usage);
  const connection = awsConnection(host);
  const name =
    flags.parameter ??
    host.environment.DROVER_KUBECONFIG_PARAMETER ??
    (await deployedParameter(connection, {
      clusterName,
      stage: flags.stage,
      warn: (message) => context.stderr.write(`warning: ${oneLine(message)}\n`),
    }));
  const ssm = ssmClient(connection);
  const store = createParameterStore(ssm);
  const stored = await store.read(name);
  const before =
    stored && (await readCredential({ text: stored.value, content: { kind: 'kubeconfig' }, clusterName }));
  if (flags.ifDue && before?.kind === 'usable' && !isDue(before, context.clock.now())) {
    context.stdout.write(`${name} is not due: ${textOf(before)}\n`);
    return;
  }
  const connections = connectionsTo(flags, context);
  const reached = apiServerOf(await connections.connect());
  const target = chooseServer({
    name,
    reached,
    stored: stored && (await storedServerOf(stored.value)),
    server: flags.server,
    mayReplaceCluster: flags.replaceCluster === true,
  });
  context.stdout.write(
    `${name} gets a kubeconfig for ${target.server} with a new token of ${username}; ${before ? `it has ${textOf(before)}` : 'it does not exist yet'}\n`,
  );
  if (flags.server === undefined && target.server !== reached.server)
    context.stdout.write(
      `the stored address stays; this machine reaches ${reached.server}, which --server would store\n`,
    );
  if (!(await confirmed('Store it?', flags, context))) return;
  const keyId = stored ? await keyOf(ssm, name) : flags.kmsKey;

  const { sendHttp } = context;
  const { token, expiresAt } = await requestToken(createApi({ connections, sendHttp }), flags.duration);
  await withoutSecret(token, async () => {
    // At the address that this machine reaches: --server may be one that only the functions reach.
    const proving = {
      connect: async () => ({ ...reached, bearerToken: token }),
      invalidate: () => undefined,
    };
    await proveToken(createApi({ connections: proving, sendHttp }));
    const value = kubeconfigOf(clusterName, { ...target, bearerToken: token });
    await store.write({ name, value, ...(keyId && { keyId }) });
  });
  context.stdout.write(`stored; the token expires at ${dateOf(expiresAt)}\n`);
  if (isShortened(expiresAt, context.clock.now() + flags.duration * 1000))
    context.stderr.write(
      'warning: the API server gave the token less time than was asked for: renew it often enough\n',
    );
}

/** As JSON: a function that reads it does not load the YAML library. */
function kubeconfigOf(clusterName: string, { server, tls, bearerToken = '' }: ClusterConnection): string {
  const { certificateAuthority, serverName } = tls;
  const cluster = {
    server,
    ...(certificateAuthority !== undefined && {
      'certificate-authority-data': Buffer.from(certificateAuthority).toString('base64'),
    }),
    ...(serverName !== undefined && { 'tls-server-name': serverName }),
  };
  return JSON.stringify({
    apiVersion: 'v1',
    kind: 'Config',
    clusters: [{ name: clusterName, cluster }],
    users: [{ name: 'drover', user: { token: bearerToken } }],
    contexts: [{ name: 'drover', context: { cluster: clusterName, user: 'drover' } }],
    'current-context': 'drover',
  });
}

/**
 * A write without a key would move the parameter to the account's own (Systems Manager API reference, PutParameter).
 *
 * @throws CliError if Parameter Store does not describe the parameter.
 */
async function keyOf(ssm: SSMClient, name: string): Promise<string> {
  const ParameterFilters = [{ Key: 'Name', Option: 'Equals', Values: [name] }];
  let NextToken: string | undefined;
  do {
    // A page may be empty although a later one is not.
    const page: DescribeParametersCommandOutput = await ssm.send(
      new DescribeParametersCommand({ ParameterFilters, NextToken }),
    );
    const found = page.Parameters?.find(({ Name }) => Name === name);
    if (found) return found.KeyId ?? '';
    NextToken = page.NextToken;
  } while (NextToken);
  throw new CliError(
    `Parameter Store does not say which key encrypts ${name}: nothing was stored`,
    exitCodes.failed,
  );
}

const textOf = (credential: Credential): string => {
  if (credential.kind === 'unusable') return `nothing that functions can use: ${credential.why}`;
  const { what, notAfter } = credential;
  return notAfter === undefined ? what : `${what}, until ${dateOf(notAfter)}`;
};

const dateOf = (at: number): string => new Date(at).toISOString().replace(/\.\d+Z$/, 'Z');
