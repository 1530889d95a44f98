import { randomBytes } from 'node:crypto';
import { type ClusterFiles, writeClusterFiles } from './files.ts';

/** Where the API server of a cluster is, and with what it is reached. */
export interface ClusterAccess {
  /** `https://127.0.0.1:40001`: of its only API server, or of the load balancer in front of several. */
  readonly url: string;
  readonly files: ClusterFiles;
  /** The token of a user in system:masters. */
  readonly adminToken: string;
  /** The token in Drover's kubeconfig: of a user in the group that deploy/rbac.yaml gives its rights to. */
  readonly droverToken: string;
  /** A kubeconfig of a user in system:masters, for kubectl. */
  readonly kubeconfig: string;
}

/** Writes the files of a cluster, whose API servers may start later. */
export async function createClusterAccess(directory: string, url: string): Promise<ClusterAccess> {
  const [adminToken, droverToken] = [newToken(), newToken()];
  const files = await writeClusterFiles(directory, [
    { token: adminToken, username: 'admin', groups: ['system:masters'] },
    { token: droverToken, username: 'drover', groups: ['drover'] },
  ]);
  const kubeconfig = await files.kubeconfig({ username: 'you', groups: ['system:masters'], server: url });
  return { url, files, adminToken, droverToken, kubeconfig };
}

const newToken = (): string => randomBytes(16).toString('hex');
