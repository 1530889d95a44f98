import { type EtcdDecision, type EtcdSettings, emptyDecision } from './decision.ts';
import { type BirthState, tokenOf } from './mark.ts';
import type { EtcdObservation } from './observation.ts';
import { publishedMembers } from './published-members.ts';

/**
 * Decides where Drover cannot reach etcd: the records follow the groups, with each instance that arrives and without those that
 * leave. Something else must run `member add` and `member remove`. `new` is published once, with the first set.
 */
export function decideDnsOnly(
  observation: EtcdObservation,
  settings: EtcdSettings,
  birth: BirthState,
): EtcdDecision {
  const standing = new Map(
    publishedMembers(observation, settings).map((member) => [member.instanceId, member]),
  );
  const staying = observation.instances.filter(
    ({ phase, runs, addresses }) => phase !== 'leaving' && runs && addresses.length > 0,
  );
  const members = staying.map(({ instanceId, addresses }) => ({
    instanceId,
    addresses,
    state: standing.get(instanceId)?.state ?? ('existing' as const),
  }));
  const shown = new Set(members.map(({ instanceId }) => instanceId));
  const settled = observation.instances
    .filter(({ instanceId, phase }) => phase === 'leaving' || shown.has(instanceId))
    .map(({ instanceId }) => instanceId);
  return {
    ...emptyDecision,
    publication: { ...settings, birth, members },
    states: members.map(({ instanceId, state }) => ({
      instanceId,
      state,
      token: state === 'new' ? tokenOf(birth) : undefined,
    })),
    settled,
    held: observation.instances
      .filter(({ instanceId }) => !settled.includes(instanceId))
      .map(({ instanceId }) => ({ instanceId, why: 'it has no address in EC2 yet' })),
  };
}
