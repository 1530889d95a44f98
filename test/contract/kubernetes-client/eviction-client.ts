import type { ClusterAdmin } from '@drover/cloud-sandbox/real/kubernetes/admin.ts';
import { createKubernetesClient } from '../../../shared/kubernetes/client.ts';
import type { DrainCluster } from '../../../shared/nodes/cluster.ts';

/** Drover's own client, with this token. */
export const clientOf = ({ server, token, sendHttp }: ClusterAdmin): DrainCluster =>
  createKubernetesClient({
    connections: {
      connect: async () => ({ server, tls: {}, bearerToken: token }),
      invalidate: () => undefined,
    },
    sendHttp,
    clock: { now: () => Date.now() },
  });
