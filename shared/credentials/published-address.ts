import { RotationError } from './rotation-error.ts';
import type { ClusterAddress } from './token-cluster.ts';

export interface AddressOverrides {
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
