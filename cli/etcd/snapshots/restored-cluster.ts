import { createHash } from 'node:crypto';

/** etcd derives ids with SHA-1. They are not secret. */
const firstEightBytes = (data: Uint8Array | string): Buffer =>
  createHash('sha1').update(data).digest().subarray(0, 8);

export interface RestoredCluster {
  readonly peerUrl: string;
  /** `--initial-cluster-token` */
  readonly token: string;
}

/**
 * The id that a cluster of one member has when it is restored (etcd `membership/member.go`, `computeMemberID`, and `cluster.go`,
 * `genID`): hexadecimal, as etcdctl prints it.
 */
export function restoredClusterId({ peerUrl, token }: RestoredCluster): string {
  const memberId = firstEightBytes(`${peerUrl}${token}`);
  return firstEightBytes(memberId).readBigUInt64BE().toString(16);
}
