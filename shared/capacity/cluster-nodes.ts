import type { Node } from 'kubernetes-types/core/v1.d.ts';

/** What capacity needs of the cluster. Rejects if the API server does not answer as expected. */
export interface ClusterNodes {
  /** All nodes; the API server's watch cache may answer. */
  listNodes(): Promise<readonly Node[]>;
}
