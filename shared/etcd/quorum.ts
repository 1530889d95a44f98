import type { EtcdMember } from './cluster.ts';

/** A voter and whether it can vote now. */
export interface Voter {
  readonly member: EtcdMember;
  readonly healthy: boolean;
}

export const quorumOf = (voters: number): number => Math.floor(voters / 2) + 1;

/**
 * Why a voter must not be removed; undefined if it may be. A quorum of the remaining voters must be healthy. etcd's strict
 * reconfiguration check requires the same of unhealthy members; this one applies to every member, before etcd is asked.
 */
export function reasonAgainstRemoval(voters: readonly Voter[], leaving: string): string | undefined {
  const remaining = voters.filter(({ member }) => member.id !== leaving);
  if (remaining.length === 0) return 'it is the last member: removing it would lose the cluster and its data';
  const healthy = remaining.filter((voter) => voter.healthy).length;
  const needed = quorumOf(remaining.length);
  if (healthy >= needed) return undefined;
  return `of the ${remaining.length} remaining members ${healthy} can vote, and ${needed} must`;
}
