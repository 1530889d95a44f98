import type { PodSpec } from 'kubernetes-types/core/v1.d.ts';
import type { HostPort } from './types.ts';

const everyAddress = '0.0.0.0';

/**
 * The ports of the host that a pod binds, of its containers and its sidecars. With `hostNetwork` the API server sets hostPort to containerPort, which a
 * manifest need not have done.
 */
export function hostPortsOf({ containers, initContainers, hostNetwork }: PodSpec): readonly HostPort[] {
  const sidecars = (initContainers ?? []).filter(({ restartPolicy }) => restartPolicy === 'Always');
  return [...(containers ?? []), ...sidecars].flatMap(({ ports }) =>
    (ports ?? []).flatMap(({ hostPort, containerPort, hostIP, protocol }) => {
      const port = hostPort || (hostNetwork === true ? containerPort : 0);
      return port > 0 ? [{ port, hostIP: hostIP || everyAddress, protocol: protocol || 'TCP' }] : [];
    }),
  );
}

/** Two pods on one node collide in a port of the same protocol, if one of them binds every address or both bind the same. */
export const collide = (one: HostPort, other: HostPort): boolean =>
  one.port === other.port &&
  one.protocol === other.protocol &&
  (one.hostIP === other.hostIP || one.hostIP === everyAddress || other.hostIP === everyAddress);
