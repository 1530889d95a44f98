import type { ClusterConnection } from '../../shared/kubernetes/connection.ts';
import { connectWith } from '../../shared/kubernetes/kubeconfig/connect.ts';
import { KubeconfigError, parseKubeconfig } from '../../shared/kubernetes/kubeconfig/parse.ts';
import { CliError, exitCodes } from '../exit-codes.ts';

/** An API server: its address and the authorities that sign its certificate, without a credential. */
type ApiServer = Pick<ClusterConnection, 'server' | 'tls'>;

/** The address and the authorities of a connection. @throws CliError for a server that is not verified */
export function apiServerOf({ server, tls }: ClusterConnection): ApiServer {
  if (tls.insecureSkipVerify)
    throw new CliError(
      'this kubeconfig does not verify the API server, and the functions refuse such a one: set certificate-authority-data',
      exitCodes.failed,
    );
  const { certificateAuthority, serverName } = tls;
  return {
    server,
    tls: {
      ...(certificateAuthority !== undefined && { certificateAuthority }),
      ...(serverName !== undefined && { serverName }),
    },
  };
}

/** The API server of a stored kubeconfig; undefined if the functions cannot use it. */
export async function storedServerOf(text: string): Promise<ApiServer | undefined> {
  const abilities = { clock: { now: () => 0 }, makeIamToken: () => Promise.resolve({}) };
  try {
    const { connection } = await connectWith(await parseKubeconfig(text), abilities);
    return apiServerOf(connection);
  } catch (error) {
    if (error instanceof KubeconfigError) return undefined;
    throw error;
  }
}

interface Choice {
  readonly name: string;
  /** As this machine's kubeconfig has it. */
  readonly reached: ApiServer;
  readonly stored: ApiServer | undefined;
  readonly server: string | undefined;
  readonly mayReplaceCluster: boolean;
}

/**
 * What the functions get. A stored address stays unless another one is given: this machine may reach the API server by a tunnel or a public
 * name. Pure.
 *
 * @throws CliError if the stored kubeconfig is one of another cluster: functions that drain and delete Nodes must not change their cluster
 * because of the current context of a shell.
 */
export function chooseServer({ name, reached, stored, server, mayReplaceCluster }: Choice): ApiServer {
  if (server !== undefined && URL.parse(server)?.protocol !== 'https:')
    throw new CliError('--server takes an https:// address', exitCodes.usage);
  const isSame = stored !== undefined && isSameCluster(stored, reached);
  if (stored !== undefined && !isSame && !mayReplaceCluster)
    throw new CliError(
      `${name} has a kubeconfig for ${stored.server}, and nothing shows that ${reached.server} of this machine's kubeconfig is the same cluster: choose it with --context, or give --replace-cluster`,
      exitCodes.failed,
    );
  if (server === undefined && !isSame && isOwnMachine(reached.server))
    throw new CliError(
      `functions do not reach ${reached.server}, which is an address of this machine, as of a tunnel: give --server with the address at which they reach the API server`,
      exitCodes.failed,
    );
  if (server !== undefined || !isSame) return { ...reached, server: server ?? reached.server };
  const { certificateAuthority = stored.tls.certificateAuthority } = reached.tls;
  return {
    server: stored.server,
    tls: { ...stored.tls, ...(certificateAuthority !== undefined && { certificateAuthority }) },
  };
}

/** An address that every machine has of its own. `URL` writes IPv4 and IPv6 in one way each. Pure. */
function isOwnMachine(server: string): boolean {
  const hostname = URL.parse(server)?.hostname.replace(/\.$/, '') ?? '';
  return (
    /^(?:127\.[\d.]+|0\.0\.0\.0|\[::1?\]|\[::ffff:7f[\da-f]{2}:[\da-f]{1,4}\])$/.test(hostname) ||
    hostname === 'localhost' ||
    hostname.endsWith('.localhost')
  );
}

/** By an authority that both trust. Without an authority on both sides the address must be the same. Pure. */
function isSameCluster(one: ApiServer, other: ApiServer): boolean {
  const [own, others] = [certificatesIn(one), certificatesIn(other)];
  if (own.length > 0 && others.length > 0) return own.some((certificate) => others.includes(certificate));
  return one.server === other.server;
}

/** The same with three answers: `unknown` if an authority is missing and the addresses differ. Pure. */
export function compareClusters(one: ApiServer, other: ApiServer): 'same' | 'other' | 'unknown' {
  if (isSameCluster(one, other)) return 'same';
  return certificatesIn(one).length > 0 && certificatesIn(other).length > 0 ? 'other' : 'unknown';
}

const certificatesIn = ({ tls: { certificateAuthority = '' } }: ApiServer): readonly string[] =>
  [...certificateAuthority.matchAll(/-----BEGIN CERTIFICATE-----([^-]+)-----END CERTIFICATE-----/g)].map(
    ([, body = '']) => body.replaceAll(/\s+/g, ''),
  );
