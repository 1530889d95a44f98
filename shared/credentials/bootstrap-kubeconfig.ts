import { parse, stringify } from 'yaml';
import * as z from 'zod/mini';
import { lazily } from '../base/lazily.ts';
import { RotationError } from './rotation-error.ts';
import { formatToken, parseToken, type Token } from './token.ts';
import type { ClusterAddress, TokenOwner } from './token-cluster.ts';

/** The content of the parameter: a credential that Drover published for this owner, or something that Drover must not replace. */
export type Published =
  | { readonly kind: 'ours'; readonly token: Token; readonly address: ClusterAddress }
  | { readonly kind: 'foreign'; readonly why: string };

const schema = lazily(() =>
  z.object({
    clusters: z.array(
      z.object({
        name: z.string(),
        cluster: z.object({
          server: z.string(),
          'certificate-authority-data': z.optional(z.string()),
          'tls-server-name': z.optional(z.string()),
        }),
      }),
    ),
    users: z.array(z.object({ name: z.string(), user: z.object({ token: z.string() }) })),
  }),
);

/** The user name also marks a kubeconfig as published by Drover. */
const userName = (owner: TokenOwner): string => `drover-bootstrap-${owner.role}`;

/**
 * What `kubelet --bootstrap-kubeconfig` and `kubeadm join --discovery-file` read: one cluster, one user, one context.
 * Every value is quoted, because some YAML parsers read a token of digits as a number.
 */
export function formatBootstrapKubeconfig(options: {
  readonly owner: TokenOwner;
  readonly address: ClusterAddress;
  readonly token: Token;
}): string {
  const { owner, address, token } = options;
  const user = userName(owner);
  const cluster = {
    server: address.server,
    ...(address.certificateAuthorityData && {
      'certificate-authority-data': address.certificateAuthorityData,
    }),
    ...(address.tlsServerName && { 'tls-server-name': address.tlsServerName }),
  };
  return stringify(
    {
      apiVersion: 'v1',
      kind: 'Config',
      clusters: [{ name: owner.clusterName, cluster }],
      users: [{ name: user, user: { token: formatToken(token) } }],
      contexts: [{ name: user, context: { cluster: owner.clusterName, user } }],
      'current-context': user,
    },
    { lineWidth: 0, defaultStringType: 'QUOTE_DOUBLE', defaultKeyType: 'PLAIN' },
  );
}

/** Reads the content of the parameter. The reason for `foreign` quotes none of the text. */
export function readPublished(text: string, owner: TokenOwner): Published {
  const parsed = schema().safeParse(parsedYaml(text));
  if (!parsed.success) return { kind: 'foreign', why: 'it is not a bootstrap kubeconfig' };
  const [cluster] = parsed.data.clusters;
  const [user] = parsed.data.users;
  if (cluster?.name !== owner.clusterName)
    return { kind: 'foreign', why: `it is for another cluster than ${owner.clusterName}` };
  const token = user?.name === userName(owner) ? parseToken(user.user.token) : undefined;
  if (token === undefined)
    return { kind: 'foreign', why: `it has no bootstrap token of a user ${userName(owner)}` };
  return { kind: 'ours', token, address: addressOf(cluster.cluster) };
}

/** Undefined if the text is not YAML. The parser's message would quote the text, which may be a secret. */
function parsedYaml(text: string): unknown {
  try {
    return parse(text, { logLevel: 'silent' });
  } catch {
    return undefined;
  }
}

const addressOf = (cluster: {
  readonly server: string;
  readonly 'certificate-authority-data'?: string | undefined;
  readonly 'tls-server-name'?: string | undefined;
}): ClusterAddress => ({
  server: cluster.server,
  ...(cluster['certificate-authority-data'] && {
    certificateAuthorityData: cluster['certificate-authority-data'],
  }),
  ...(cluster['tls-server-name'] && { tlsServerName: cluster['tls-server-name'] }),
});

export const sameAddress = (left: ClusterAddress, right: ClusterAddress): boolean =>
  left.server === right.server &&
  left.certificateAuthorityData === right.certificateAuthorityData &&
  left.tlsServerName === right.tlsServerName;

interface AddressOverrides {
  /** The address at which nodes reach the API server, if it differs from Drover's. */
  readonly server?: string;
  readonly certificateAuthorityData?: string;
}

/**
 * The address and the certificate authority of the API server for new nodes. They come from Drover's own kubeconfig, unless the
 * operator overrides them.
 *
 * @throws RotationError if a node could not verify the API server: an impostor would get the token.
 */
export function publishedAddress(own: ClusterAddress, overrides: AddressOverrides): ClusterAddress {
  const server = overrides.server ?? own.server;
  const certificateAuthorityData = overrides.certificateAuthorityData ?? own.certificateAuthorityData;
  const tlsServerName = overrides.server === undefined ? own.tlsServerName : undefined;
  if (server.startsWith('https:') && !certificateAuthorityData)
    throw new RotationError(
      'read',
      `${server} has no certificate authority that could be published with it`,
      {
        remedy:
          'Put certificate-authority-data into the kubeconfig, or set DROVER_BOOTSTRAP_CERTIFICATE_AUTHORITY.',
      },
    );
  return {
    server,
    ...(certificateAuthorityData && { certificateAuthorityData }),
    ...(tlsServerName && { tlsServerName }),
  };
}
