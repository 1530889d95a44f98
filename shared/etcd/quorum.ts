import type { EtcdMember } from './cluster.ts';

/** A voter and whether it can vote now. */
export interface Voter {
  readonly member: EtcdMember;
  readonly healthy: boolean;
}

export const quorumOf = (voters: number): number => Math.floor(voters / 2) + 1;

/**
 * Why a voter must not be removed, or undefined where it may be: afterwards a quorum of those who remain must be healthy (etcd's
 * own strict reconfiguration check, made before it is asked, and for healthy members too).
 */
export function reasonAgainstRemoval(voters: readonly Voter[], leaving: string): string | undefined {
  const remaining = voters.filter(({ member }) => member.id !== leaving);
  if (remaining.length === 0) return 'it is the last member: without it the cluster and its data are gone';
  const healthy = remaining.filter((voter) => voter.healthy).length;
  const needed = quorumOf(remaining.length);
  if (healthy >= needed) return undefined;
  return `of the ${remaining.length} members that would remain ${healthy} can vote, and ${needed} must`;
}
