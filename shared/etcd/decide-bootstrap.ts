import { blocked, type EtcdDecision, type EtcdSettings, emptyDecision } from './decision.ts';
import { findHostMarks } from './mark.ts';
import type { EtcdInstance, EtcdObservation } from './observation.ts';
import { patienceSeconds } from './patience.ts';
import { type SignOfLife, signsOfLife } from './signs-of-life.ts';

/**
 * Decides for a domain in which no cluster was ever formed. Members that start as `new` with different sets of peers form
 * different clusters (etcd issue 5909). So Drover publishes nothing until all desired instances are known, and then all in one batch.
 */
export function decideBootstrap(observation: EtcdObservation, settings: EtcdSettings): EtcdDecision {
  const candidates = observation.instances.filter(isCandidate);
  const foreignCluster = foreignClusterIn(observation);
  if (foreignCluster) return blocked(observation, foreignCluster);
  const lostMark = lostMarkIn(observation, settings);
  if (lostMark) return blocked(observation, lostMark);
  // An instance that leaves before anything was published is no member.
  const settled = observation.instances
    .filter(({ phase }) => phase === 'leaving')
    .map(({ instanceId }) => instanceId);
  const hold = (why: string): EtcdDecision => ({
    ...emptyDecision,
    settled,
    held: observation.instances
      .filter(({ phase }) => phase !== 'leaving')
      .map(({ instanceId }) => ({ instanceId, why })),
  });
  if (candidates.length === 0 || candidates.length < observation.desiredMembers) {
    const why = `${candidates.length} of the first ${observation.desiredMembers} members are known: Drover publishes nothing until all are`;
    return { ...hold(why), problems: waitsTooLong(observation) ? [`${why}. ${advice}`] : [] };
  }
  const set = candidates.map(({ instanceId }) => instanceId).sort();
  const token = birthToken(observation.now);
  return {
    ...hold('Drover is publishing the first members'),
    outdated: set,
    publication: {
      ...settings,
      birth: settings.mode === 'dns-only' ? { kind: 'published', token } : { kind: 'forming', set, token },
      members: candidates.map(({ instanceId, addresses }) => ({ instanceId, addresses, state: 'new' })),
    },
  };
}

const advice = 'See why Auto Scaling launches no more instances, or lower the desired capacity';

/** An instance has waited for the rest of the first set longer than launches take. */
const waitsTooLong = ({ instances, now }: EtcdObservation): boolean =>
  instances.some(
    ({ phase, launchedAt = now }) => phase !== 'leaving' && now - launchedAt > patienceSeconds * 1000,
  );

/** `drover-20261121T200544Z`. Each birth has its own, so that the id of a cluster is never that of an earlier one of the same hosts. */
const birthToken = (now: number): string =>
  `drover-${new Date(now).toISOString().replaceAll(/[-:]|\.\d{3}/g, '')}`;

const isCandidate = ({ phase, runs, addresses }: EtcdInstance): boolean =>
  phase !== 'leaving' && runs && addresses.length > 0;

/** Records of hosts prove that a cluster was formed here, although the mark that said so is gone. */
function lostMarkIn({ zone }: EtcdObservation, { clusterName, naming }: EtcdSettings): string | undefined {
  const ours = [...findHostMarks(zone.records, naming).values()].filter(
    (mark) => mark.clusterName === clusterName,
  );
  if (ours.length === 0) return undefined;
  const hosts = ours.map(({ instanceId }) => instanceId).join(', ');
  return `the mark of ${naming.domain} was deleted, and the records of ${hosts} stand: Drover publishes nothing and lets no instance go. Run drover etcd adopt --cluster-id ID while the cluster answers; if it is lost, drover etcd rebirth --forming`;
}

/** Drover has published nothing here, or its mark was deleted. An etcd that lives was formed without this mark, and each instance may vote in it. */
function foreignClusterIn({ cluster }: EtcdObservation): string | undefined {
  if (cluster.kind === 'not-asked') return undefined;
  const [found] = signsOfLife(cluster.statuses).toSorted(withIdFirst);
  if (!found) return undefined;
  const nothing = 'Drover publishes nothing and lets no instance go';
  if (found.clusterId === undefined)
    return `${found.what}, and the domain has no mark: ${nothing}. Publish a certificate that it accepts (drover pki upload), or terminate the instance`;
  return `an etcd that Drover has not formed answers on ${found.instanceId}: ${nothing}. If it is the right one, run drover etcd adopt --cluster-id ${found.clusterId}`;
}

const withIdFirst = (one: SignOfLife, other: SignOfLife): number =>
  Number(one.clusterId === undefined) - Number(other.clusterId === undefined);
