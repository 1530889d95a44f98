import { serves } from './cluster.ts';
import { type EtcdDecision, type EtcdSettings, emptyDecision, holdAll } from './decision.ts';
import type { BirthState } from './mark.ts';
import type { ClusterObservation, EtcdObservation } from './observation.ts';
import { hasStalled, patienceSeconds } from './patience.ts';
import { publishedMembers } from './published-members.ts';
import { quorumOf } from './quorum.ts';

type Forming = Extract<BirthState, { readonly kind: 'forming' }>;

/**
 * Decides while the published first members form their cluster. The published set is frozen until then. The cluster is formed when
 * one cluster has a quorum of the set, and every member of the set that still runs serves in it. Its id becomes the birth mark.
 */
export function decideForming(
  observation: EtcdObservation,
  settings: EtcdSettings,
  { set, token }: Forming,
): EtcdDecision {
  const frozen: EtcdDecision = {
    ...emptyDecision,
    states: set.map((instanceId) => ({ instanceId, state: 'new', token })),
  };
  const ids = clusterIdsOf(observation.cluster);
  if (ids.length > 1)
    return {
      ...trouble(
        frozen,
        `the first members have formed ${ids.length} clusters (${ids.join(', ')}), which cannot be repaired: terminate them all, then run drover etcd rebirth --forming`,
      ),
      // They follow that advice. None of these clusters was ever the one of the domain.
      settled: observation.instances
        .filter(({ phase }) => phase === 'leaving')
        .map(({ instanceId }) => instanceId),
    };
  const running = set.filter((instanceId) => runs(observation, instanceId));
  if (running.length < quorumOf(set.length))
    return trouble(
      frozen,
      `of the ${set.length} first members ${running.length} are left, too few to form a cluster: if they never served, run drover etcd rebirth --forming`,
    );
  const waiting = running.filter((instanceId) => !isServing(observation.cluster, instanceId));
  const list = observation.cluster.kind === 'asked' ? observation.cluster.list : undefined;
  if (!list || waiting.length > 0)
    return {
      ...frozen,
      // A member that finds too few peers answers no call, so only the time shows that it is stuck.
      problems: hasStalled(observation, settings)
        ? [
            `the first members have formed no cluster for ${patienceSeconds / 60} minutes: ${waiting.join(', ')} does not serve`,
          ]
        : [],
      held: holdAll(
        observation.instances,
        `the first members form a cluster: ${waiting.join(', ') || 'it'} does not serve yet`,
      ),
    };
  const publication: EtcdDecision['publication'] = {
    ...settings,
    birth: { kind: 'born', clusterId: list.clusterId },
    members: publishedMembers(observation, settings).map((member) => ({ ...member, state: 'existing' })),
  };
  return {
    ...frozen,
    publication,
    formed: running,
    states: [],
    held: holdAll(observation.instances, 'Drover is recording the id of the new cluster'),
  };
}

const trouble = (frozen: EtcdDecision, problem: string): EtcdDecision => ({
  ...frozen,
  states: [],
  problems: [problem],
});

const runs = ({ instances }: EtcdObservation, id: string): boolean =>
  instances.some(({ instanceId, runs: isRunning }) => instanceId === id && isRunning);

const isServing = (cluster: ClusterObservation, instanceId: string): boolean =>
  cluster.kind === 'asked' && serves(cluster.statuses.get(instanceId));

const clusterIdsOf = (cluster: ClusterObservation): readonly string[] =>
  cluster.kind === 'asked'
    ? [
        ...new Set(
          [...cluster.statuses.values()].flatMap((status) =>
            status.kind === 'answers' ? [status.clusterId] : [],
          ),
        ),
      ]
    : [];
