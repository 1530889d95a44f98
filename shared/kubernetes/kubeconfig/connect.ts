import type { ClusterConnection } from '../connection.ts';
import type { KubeconfigAbilities, MadeCredentials } from './abilities.ts';
import { KubeconfigError } from './error.ts';
import { iamTokenRequestOf } from './iam-plugin.ts';
import type { KubeconfigContext } from './parse.ts';
import { pemOf, serverOf } from './values.ts';

/** A connection, and when its credentials expire. */
export interface MadeConnection {
  readonly connection: ClusterConnection;
  /** Epoch milliseconds. */
  readonly expiresAt?: number;
}

/**
 * Turns a context into a connection: reads the files that it names, and runs or replaces its plugin.
 *
 * @throws KubeconfigError with the field that cannot be used here, and the reason.
 */
export async function connectWith(
  context: KubeconfigContext,
  abilities: KubeconfigAbilities,
): Promise<MadeConnection> {
  const { cluster, clusterField } = context;
  refuseAnyServer(context, abilities);
  if (cluster['proxy-url'])
    throw new KubeconfigError([`${clusterField}.proxy-url: proxies are not supported; give a direct route`]);
  const server = serverOf(cluster.server, clusterField);
  const certificateAuthority = await pemOf(cluster, {
    key: 'certificate-authority',
    field: clusterField,
    abilities,
  });
  const credentials = await credentialsOf(context, abilities);
  return {
    connection: {
      server,
      tls: {
        ...(certificateAuthority && { certificateAuthority }),
        ...(cluster['tls-server-name'] && { serverName: cluster['tls-server-name'] }),
        ...(cluster['insecure-skip-tls-verify'] && { insecureSkipVerify: true }),
        ...(credentials.clientCertificate && { clientCertificate: credentials.clientCertificate }),
        ...(credentials.clientKey && { clientKey: credentials.clientKey }),
      },
      ...(credentials.token !== undefined && { bearerToken: credentials.token }),
    },
    ...(credentials.expiresAt !== undefined && { expiresAt: credentials.expiresAt }),
  };
}

/** Without verification anything on the network path gets the token. client-go refuses the flag beside an authority too. */
function refuseAnyServer(
  { cluster, clusterField }: KubeconfigContext,
  { mayTrustAnyServer }: KubeconfigAbilities,
): void {
  if (!cluster['insecure-skip-tls-verify']) return;
  const field = `${clusterField}.insecure-skip-tls-verify`;
  if (!mayTrustAnyServer)
    throw new KubeconfigError([`${field}: a function verifies the server; give certificate-authority-data`]);
  if (cluster['certificate-authority'] || cluster['certificate-authority-data'])
    throw new KubeconfigError([`${field}: is given beside a certificate authority; leave one of them out`]);
}

async function credentialsOf(
  context: KubeconfigContext,
  abilities: KubeconfigAbilities,
): Promise<MadeCredentials> {
  const { user, userField: field } = context;
  refuseOldForms(context);
  if (user.exec) return await fromPlugin(context, abilities);
  const clientCertificate = await pemOf(user, { key: 'client-certificate', field, abilities });
  const clientKey = await pemOf(user, { key: 'client-key', field, abilities });
  if ((clientCertificate === undefined) !== (clientKey === undefined))
    throw new KubeconfigError([`${field}: client-certificate and client-key must be given together`]);
  const token = await tokenOf(context, abilities);
  return {
    ...(clientCertificate && { clientCertificate }),
    ...(clientKey && { clientKey }),
    ...(token !== undefined && { token }),
  };
}

function refuseOldForms({ user, userField }: KubeconfigContext): void {
  const problems = [
    ...(user.username ? [`${userField}.username: API servers no longer accept passwords; use a token`] : []),
    ...(user['auth-provider'] ? [`${userField}.auth-provider: is no longer supported; use exec`] : []),
  ];
  if (problems.length > 0) throw new KubeconfigError(problems);
}

/** As in client-go, tokenFile wins over token. */
async function tokenOf(
  { user, userField }: KubeconfigContext,
  { readFile }: KubeconfigAbilities,
): Promise<string | undefined> {
  if (user.tokenFile === undefined) return user.token?.trim();
  if (!readFile)
    throw new KubeconfigError([`${userField}.tokenFile: no files can be read here; put the token inline`]);
  try {
    return (await readFile(user.tokenFile)).trim();
  } catch (cause) {
    throw new KubeconfigError([`${userField}.tokenFile: the file cannot be read`], cause);
  }
}

async function fromPlugin(
  { user, userField }: KubeconfigContext,
  abilities: KubeconfigAbilities,
): Promise<MadeCredentials> {
  const plugin = user.exec ?? undefined;
  if (plugin && abilities.runPlugin) return await abilities.runPlugin(plugin);
  const request = plugin && iamTokenRequestOf(plugin);
  if (request && abilities.makeIamToken) return await abilities.makeIamToken(request);
  throw new KubeconfigError([
    `${userField}.exec: no program can run here; only "aws eks get-token --cluster-name NAME" and ` +
      '"aws-iam-authenticator token -i NAME" are understood, for which Drover makes a token with its own role',
  ]);
}
