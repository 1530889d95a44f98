import { decideBootstrap, decideForming } from './decide-bootstrap.ts';
import { decideExisting } from './decide-existing.ts';
import { blocked, type EtcdDecision, type EtcdSettings, emptyDecision } from './decision.ts';
import { type BirthState, findZoneMark, tokenOf } from './mark.ts';
import type { EtcdObservation } from './observe.ts';
import { publishedMembers } from './records.ts';

/** Decides what to do in a zone. Pure. */
export function decideEtcd(observation: EtcdObservation, settings: EtcdSettings): EtcdDecision {
  const mark = findZoneMark(observation.zone.records, settings.naming);
  // The record plan, which comes first in a pass, reports the owner of the mark.
  if (mark === 'foreign' || (mark && mark.clusterName !== settings.clusterName))
    return blocked(observation, foreignMark);
  if (!mark) return decideBootstrap(observation, settings);
  const { birth } = mark;
  if (settings.mode === 'dns-only') return decideDnsOnly(observation, settings, birth);
  switch (birth.kind) {
    case 'forming':
      return decideForming(observation, settings, birth);
    case 'born':
      return decideExisting(observation, settings, birth.clusterId);
    case 'published':
      return blocked(observation, publishedMark);
  }
}

const foreignMark = 'the mark of the domain does not belong to this cluster: see drover etcd plan';
const publishedMark =
  'the first members were published without asking etcd: name the cluster that they formed with drover etcd adopt --cluster-id';

/**
 * Decides for a deployment that cannot reach etcd: the records follow the groups, with each instance that arrives and without those that
 * leave. Something else must run `member add` and `member remove`. `new` is published once, with the first set.
 */
function decideDnsOnly(
  observation: EtcdObservation,
  settings: EtcdSettings,
  birth: BirthState,
): EtcdDecision {
  const inDns = new Map(publishedMembers(observation, settings).map((member) => [member.instanceId, member]));
  const staying = observation.instances.filter(
    ({ phase, runs, addresses }) => phase !== 'leaving' && runs && addresses.length > 0,
  );
  const members = staying.map(({ instanceId, addresses }) => ({
    instanceId,
    addresses,
    state: inDns.get(instanceId)?.state ?? ('existing' as const),
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
