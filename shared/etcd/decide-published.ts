import { type EtcdDecision, type EtcdTerms, nothing } from './decision.ts';
import type { BirthState } from './mark.ts';
import { standingMembers } from './published-members.ts';
import type { EtcdSight } from './sight.ts';

/**
 * Where Drover cannot reach etcd the records follow the groups: who arrives is shown, who leaves is not shown any more. What the
 * members themselves must do (member add, member remove) is somebody else's; `new` is published once, with the first set.
 */
export function decidePublished(sight: EtcdSight, terms: EtcdTerms, birth: BirthState): EtcdDecision {
  const standing = new Map(standingMembers(sight, terms).map((member) => [member.instanceId, member]));
  const staying = sight.instances.filter(
    ({ phase, runs, addresses }) => phase !== 'leaving' && runs && addresses.length > 0,
  );
  const members = staying.map(({ instanceId, addresses }) => ({
    instanceId,
    addresses,
    state: standing.get(instanceId)?.state ?? ('existing' as const),
  }));
  const shown = new Set(members.map(({ instanceId }) => instanceId));
  const settled = sight.instances
    .filter(({ instanceId, phase }) => phase === 'leaving' || shown.has(instanceId))
    .map(({ instanceId }) => instanceId);
  return {
    ...nothing,
    publication: { ...terms, birth, members },
    states: members,
    settled,
    held: sight.instances
      .filter(({ instanceId }) => !settled.includes(instanceId))
      .map(({ instanceId }) => ({ instanceId, why: 'EC2 has given it no address yet' })),
  };
}
