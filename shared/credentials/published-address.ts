import { RotationError } from './rotation-error.ts';
import type { ClusterAddress } from './token-cluster.ts';

export interface AddressOverrides {
  /** Where nodes reach the API server, if not where Drover does. */
  readonly server?: string;
  readonly certificateAuthorityData?: string;
}

/**
 * What new nodes are told: where the API server is and by which certificate authority they know it. It is what Drover's own
 * kubeconfig says, unless the operator says otherwise.
 *
 * @throws RotationError where a node could not tell the API server from an impostor, who would get the token.
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
