import type { Clock } from '../../base/clock.ts';
import { isLoopback } from '../../net/send-http.ts';
import type { ClusterConnection } from '../connection.ts';
import { type ExecPlugin, type KubeconfigContext, KubeconfigError } from './parse.ts';

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

type PemKey = 'certificate-authority' | 'client-certificate' | 'client-key';

type PemHolder = Readonly<Partial<Record<PemKey | `${PemKey}-data`, string | undefined>>>;

interface PemQuestion {
  readonly key: PemKey;
  /** The path of the holder in the kubeconfig. */
  readonly field: string;
  readonly abilities: KubeconfigAbilities;
}

/** PEM text from `KEY-data` (base64) or from the file that `KEY` names; the data wins, as in client-go. */
async function pemOf(holder: PemHolder, { key, field, abilities }: PemQuestion): Promise<string | undefined> {
  const data = holder[`${key}-data`];
  if (data !== undefined) return decodePem(data, `${field}.${key}-data`);
  const path = holder[key];
  if (path === undefined) return undefined;
  if (!abilities.readFile)
    throw new KubeconfigError([`${field}.${key}: no files can be read here; use ${key}-data`]);
  try {
    return await abilities.readFile(path);
  } catch (cause) {
    throw new KubeconfigError([`${field}.${key}: the file cannot be read`], cause);
  }
}

function decodePem(data: string, field: string): string {
  const pem = Buffer.from(data, 'base64').toString('utf8');
  if (!pem.includes('-----BEGIN ')) throw new KubeconfigError([`${field}: is not a PEM text in base64`]);
  return pem;
}

/** The server's address, without a trailing slash. */
function serverOf(server: string, clusterField: string): string {
  const url = URL.canParse(server) ? new URL(server) : undefined;
  const isPlain = url !== undefined && !url.username && !url.password && !url.search && !url.hash;
  if (!isPlain || !['https:', 'http:'].includes(url.protocol))
    throw new KubeconfigError([
      `${clusterField}.server: is not an address such as https://api.example.com:6443`,
    ]);
  if (url.protocol === 'http:' && !isLoopback(url.hostname))
    throw new KubeconfigError([
      `${clusterField}.server: http would send credentials unencrypted; use https (http is only for a proxy on this machine)`,
    ]);
  return `${url.origin}${url.pathname.replace(/(?<!\/)\/+$/, '')}`;
}

/** Credentials from a plugin or a signer. */
export interface MadeCredentials {
  readonly token?: string;
  readonly clientCertificate?: string;
  readonly clientKey?: string;
  /** Epoch milliseconds; absent: valid until refused. */
  readonly expiresAt?: number;
}

interface IamTokenRequest {
  /** The cluster's id in the token: the EKS cluster name, or what aws-iam-authenticator was given. */
  readonly clusterId: string;
  readonly region?: string;
}

/**
 * What the machine that reads a kubeconfig can do. A laptop reads files and runs programs; a Lambda does neither, and makes IAM
 * tokens with its own role. A field that needs an absent ability is refused by name.
 */
export interface KubeconfigAbilities {
  readonly clock: Clock;
  /** Relative paths are relative to the kubeconfig. */
  readonly readFile?: (path: string) => Promise<string>;
  /** Whether a kubeconfig may turn the verification of the server off. It may not by default. */
  readonly mayTrustAnyServer?: true;
  readonly runPlugin?: (plugin: ExecPlugin) => Promise<MadeCredentials>;
  readonly makeIamToken?: (request: IamTokenRequest) => Promise<MadeCredentials>;
}

/**
 * Reads the request of a plugin that only makes an IAM token: `aws eks get-token --cluster-name NAME [--region R]` or
 * `aws-iam-authenticator token -i NAME`, the two forms that AWS documents. Undefined for any other program, and for flags that
 * need more, such as another role or a profile: then the program itself must run.
 */
function iamTokenRequestOf(plugin: ExecPlugin): IamTokenRequest | undefined {
  const args = (plugin.args ?? []).flatMap(splitEquals);
  if ((plugin.env ?? []).some(({ name }) => name !== 'AWS_STS_REGIONAL_ENDPOINTS')) return undefined;
  const command = plugin.command.split('/').at(-1);
  if (command === 'aws') return fromFlags(withoutWords(args, ['eks', 'get-token']));
  if (command === 'aws-iam-authenticator') return fromFlags(withoutWords(args, ['token']));
  return undefined;
}

const splitEquals = (arg: string): string[] => {
  const [flag = '', ...rest] = arg.split('=');
  return arg.startsWith('-') && rest.length > 0 ? [flag, rest.join('=')] : [arg];
};

/** The flags, without the words of the subcommand; undefined when one is missing. */
function withoutWords(args: readonly string[], words: readonly string[]): readonly string[] | undefined {
  const left = [...args];
  for (const word of words) {
    const index = left.indexOf(word);
    if (index === -1) return undefined;
    left.splice(index, 1);
  }
  return left;
}

const clusterFlags = ['--cluster-name', '--cluster-id', '-i'];

function fromFlags(args: readonly string[] | undefined): IamTokenRequest | undefined {
  if (args === undefined || args.length % 2 === 1) return undefined;
  let clusterId: string | undefined;
  let region: string | undefined;
  for (let index = 0; index < args.length; index += 2) {
    const [flag = '', value = ''] = args.slice(index, index + 2);
    if (clusterFlags.includes(flag)) clusterId = value;
    else if (flag === '--region') region = value;
    else if (flag !== '--output') return undefined;
  }
  return clusterId === undefined ? undefined : { clusterId, ...(region && { region }) };
}

interface IamTokenOptions {
  /** A presigned URL: STS answers it with the identity that signed it. `region` is set if the kubeconfig names one. */
  readonly presign: (
    request: IamTokenRequest,
  ) => Promise<{ readonly url: string; readonly signerExpiresAt?: number }>;
  readonly clock: Clock;
}

/** Verifiers accept a token for 15 minutes; clients use it for 14 (aws-iam-authenticator, pkg/token). */
const lifetimeMilliseconds = 14 * 60_000;

/**
 * Makes tokens that prove an IAM identity to an API server, as EKS and aws-iam-authenticator read them. STS refuses a token as soon as
 * the credentials that signed it expire, so it is valid for no longer than they are.
 */
export function iamTokenMaker({
  presign,
  clock,
}: IamTokenOptions): (request: IamTokenRequest) => Promise<MadeCredentials> {
  return async (request) => {
    const now = clock.now();
    const { url, signerExpiresAt = Number.POSITIVE_INFINITY } = await presign(request);
    return {
      token: `k8s-aws-v1.${Buffer.from(url).toString('base64url')}`,
      expiresAt: Math.min(now + lifetimeMilliseconds, signerExpiresAt),
    };
  };
}
