import { canVote, type EndpointStatus } from './cluster.ts';
import type { BirthState, findZoneMark } from './mark.ts';

/**
 * The instances whose etcd may be asked for the list of members: voters with quorum. Where the cluster of the domain has one, only its
 * own: another etcd on an instance must not hide it. Otherwise any, so that the other cluster is reported.
 */
export function listSources(
  statuses: ReadonlyMap<string, EndpointStatus>,
  mark: ReturnType<typeof findZoneMark>,
): ReadonlySet<string> {
  const voters = [...statuses].filter(([, status]) => canVote(status));
  const own = typeof mark === 'object' ? voters.filter((voter) => isOf(mark.birth, voter)) : [];
  return new Set((own.length > 0 ? own : voters).map(([instanceId]) => instanceId));
}

function isOf(birth: BirthState, [instanceId, status]: readonly [string, EndpointStatus]): boolean {
  if (birth.kind === 'forming') return birth.set.includes(instanceId);
  return birth.kind === 'born' && status.kind === 'answers' && status.clusterId === birth.clusterId;
}
