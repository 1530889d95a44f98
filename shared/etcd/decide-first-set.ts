import { type EtcdDecision, type EtcdTerms, nothing } from './decision.ts';
import type { EtcdInstance, EtcdSight } from './sight.ts';

/**
 * No cluster was ever born here. Members that start as `new` on different sets form different clusters (etcd issue 5909), so
 * nothing is published until as many instances are known as there are to be; then all of them, in one batch.
 */
export function decideFirstSet(sight: EtcdSight, terms: EtcdTerms): EtcdDecision {
  const candidates = sight.instances.filter(isCandidate);
  // Who leaves before anything was published is a member of nothing.
  const settled = sight.instances
    .filter(({ phase }) => phase === 'leaving')
    .map(({ instanceId }) => instanceId);
  const stranger = strangerIn(sight);
  const hold = (why: string): EtcdDecision => ({
    ...nothing,
    settled,
    held: sight.instances
      .filter(({ phase }) => phase !== 'leaving')
      .map(({ instanceId }) => ({ instanceId, why })),
  });
  if (stranger) return { ...hold(stranger), problems: [stranger] };
  if (candidates.length === 0 || candidates.length < sight.desiredMembers)
    return hold(
      `${candidates.length} of the first ${sight.desiredMembers} members are known: nothing is published until all are`,
    );
  const set = candidates.map(({ instanceId }) => instanceId).sort();
  return {
    ...hold('the first members are being published'),
    publication: {
      ...terms,
      birth: terms.mode === 'dns-only' ? { kind: 'published' } : { kind: 'forming', set },
      members: candidates.map(({ instanceId, addresses }) => ({ instanceId, addresses, state: 'new' })),
    },
  };
}

const isCandidate = ({ phase, runs, addresses }: EtcdInstance): boolean =>
  phase !== 'leaving' && runs && addresses.length > 0;

/** An etcd that answers where we have published nothing was formed by somebody else, or restored. */
function strangerIn({ cluster }: EtcdSight): string | undefined {
  if (cluster.kind === 'not-asked') return undefined;
  const [found] = [...cluster.statuses].flatMap(([instanceId, status]) =>
    status.kind === 'answers' ? [{ instanceId, clusterId: status.clusterId }] : [],
  );
  return (
    found &&
    `an etcd that Drover has not formed answers on ${found.instanceId}: if it is the right one, drover etcd adopt --cluster-id ${found.clusterId}`
  );
}
