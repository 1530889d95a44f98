import { DescribeParametersCommand, type SSMClient } from '@aws-sdk/client-ssm';
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
import { isDue, isShortened } from './renewal.ts';
import { proveToken, requestToken, username } from './service-account.ts';

export interface OwnKubeconfigFlags extends AutoScalingFlags, ClusterFlags, ConfirmFlags {
  readonly duration: number;
  readonly ifDue?: true;
  readonly server?: string;
  readonly parameter?: string;
  readonly kmsKey?: string;
}

/** Stores a kubeconfig with a new token for the functions, after it has said what that replaces. */
export async function storeOwnKubeconfig(flags: OwnKubeconfigFlags, context: CliContext): Promise<void> {
  const host = hostOf(context, environmentOf(flags, context));
  const clusterName = host.environment.DROVER_CLUSTER;
  if (!clusterName) throw new CliError('name the cluster with --cluster', exitCodes.usage);
  const name =
    flags.parameter ?? host.environment.DROVER_KUBECONFIG_PARAMETER ?? `/drover/${clusterName}/kubeconfig`;
  const ssm = ssmClient(awsConnection(host));
  const store = createParameterStore(ssm);
  const stored = await store.read(name);
  const before =
    stored && (await readCredential({ text: stored.value, content: { kind: 'kubeconfig' }, clusterName }));
  if (flags.ifDue && before?.kind === 'usable' && !isDue(before, context.clock.now())) {
    context.stdout.write(`${name} is not due: ${textOf(before)}\n`);
    return;
  }
  const connections = connectionsTo(flags, context);
  const target = addressOf(await connections.connect(), flags.server);
  context.stdout.write(
    `${name} gets a kubeconfig for ${target.server} with a new token of ${username}; ${before ? `it has ${textOf(before)}` : 'it does not exist yet'}\n`,
  );
  if (!(await confirmed('Store it?', flags, context))) return;

  const { sendHttp } = context;
  const { token, expiresAt } = await requestToken(createApi({ connections, sendHttp }), flags.duration);
  await withoutSecret(token, async () => {
    // At the address that this machine reaches: --server may be one that only the functions reach.
    const reached = addressOf(await connections.connect(), undefined);
    const proving = {
      connect: async () => ({ ...reached, bearerToken: token }),
      invalidate: () => undefined,
    };
    await proveToken(createApi({ connections: proving, sendHttp }));
    const keyId = stored ? await keyOf(ssm, name) : flags.kmsKey;
    const value = kubeconfigOf(clusterName, { ...target, bearerToken: token });
    await store.write({ name, value, ...(keyId !== undefined && { keyId }) });
  });
  context.stdout.write(`stored; the token expires at ${dateOf(expiresAt)}\n`);
  if (isShortened(expiresAt, context.clock.now() + flags.duration * 1000))
    context.stderr.write(
      'warning: the API server gave the token less time than was asked for: renew it often enough\n',
    );
}

/** The address and the authorities of a connection, without its credential. @throws CliError for a server that is not verified */
function addressOf({ server, tls }: ClusterConnection, other: string | undefined): ClusterConnection {
  if (tls.insecureSkipVerify)
    throw new CliError(
      'this kubeconfig does not verify the API server, and the functions refuse such a one: set certificate-authority-data',
      exitCodes.failed,
    );
  if (other !== undefined && URL.parse(other)?.protocol !== 'https:')
    throw new CliError('--server takes an https:// address', exitCodes.usage);
  const { certificateAuthority, serverName } = tls;
  return {
    server: other ?? server,
    tls: {
      ...(certificateAuthority !== undefined && { certificateAuthority }),
      ...(serverName !== undefined && { serverName }),
    },
  };
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

/** A write without a key would move the parameter to the account's own (Systems Manager API reference, PutParameter). */
async function keyOf(ssm: SSMClient, name: string): Promise<string | undefined> {
  const { Parameters = [] } = await ssm.send(
    new DescribeParametersCommand({ ParameterFilters: [{ Key: 'Name', Values: [name] }] }),
  );
  return Parameters.find(({ Name }) => Name === name)?.KeyId;
}

const textOf = (credential: Credential): string => {
  if (credential.kind === 'unusable') return `nothing that functions can use: ${credential.why}`;
  const { what, notAfter } = credential;
  return notAfter === undefined ? what : `${what}, until ${dateOf(notAfter)}`;
};

const dateOf = (at: number): string => new Date(at).toISOString().replace(/\.\d+Z$/, 'Z');
