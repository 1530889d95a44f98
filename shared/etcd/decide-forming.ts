import { serves } from './cluster.ts';
import { type EtcdDecision, type EtcdTerms, holdAll, nothing } from './decision.ts';
import { findZoneMark } from './mark.ts';
import { standingMembers } from './published-members.ts';
import { quorumOf } from './quorum.ts';
import type { ClusterSight, EtcdSight } from './sight.ts';

/**
 * The first set is published and frozen: nothing of it changes until its members have formed a cluster, whose id is then the
 * birth mark. Born it is when a quorum of the set has one cluster and every member of the set that still runs serves in it.
 */
export function decideForming(sight: EtcdSight, terms: EtcdTerms, set: readonly string[]): EtcdDecision {
  const frozen: EtcdDecision = {
    ...nothing,
    states: set.map((instanceId) => ({ instanceId, state: 'new' })),
  };
  const ids = clusterIdsOf(sight.cluster);
  if (ids.length > 1)
    return trouble(
      frozen,
      `the first members have formed ${ids.length} clusters (${ids.join(', ')}), which never heals: terminate them all, then drover etcd rebirth --forming`,
    );
  const running = set.filter((instanceId) => runs(sight, instanceId));
  if (running.length < quorumOf(set.length))
    return trouble(
      frozen,
      `of the ${set.length} first members ${running.length} are left, too few to form a cluster: if they never served, drover etcd rebirth --forming`,
    );
  const waiting = running.filter((instanceId) => !isServing(sight.cluster, instanceId));
  const list = sight.cluster.kind === 'asked' ? sight.cluster.list : undefined;
  if (!list || waiting.length > 0)
    return {
      ...frozen,
      problems: tooLong(sight, terms)
        ? [
            `the first members have formed no cluster for ${patienceSeconds / 60} minutes: ${waiting.join(', ')} does not serve`,
          ]
        : [],
      held: holdAll(
        sight.instances,
        `the first members form a cluster: ${waiting.join(', ') || 'it'} does not serve yet`,
      ),
    };
  const publication: EtcdDecision['publication'] = {
    ...terms,
    birth: { kind: 'born', clusterId: list.clusterId },
    members: standingMembers(sight, terms).map((member) => ({ ...member, state: 'existing' })),
  };
  return {
    ...frozen,
    publication,
    states: [],
    held: holdAll(sight.instances, 'the birth of the cluster is being marked'),
  };
}

/** A first boot takes a minute or two. Who sees too few peers is silent, so that nothing else tells (etcd answers nobody before). */
const patienceSeconds = 900;

function tooLong({ zone, now }: EtcdSight, { naming }: EtcdTerms): boolean {
  const mark = findZoneMark(zone.records, naming);
  return typeof mark === 'object' && now / 1000 - mark.changedAt > patienceSeconds;
}

const trouble = (frozen: EtcdDecision, problem: string): EtcdDecision => ({
  ...frozen,
  states: [],
  problems: [problem],
});

const runs = ({ instances }: EtcdSight, id: string): boolean =>
  instances.some(({ instanceId, runs: isRunning }) => instanceId === id && isRunning);

const isServing = (cluster: ClusterSight, instanceId: string): boolean =>
  cluster.kind === 'asked' && serves(cluster.statuses.get(instanceId));

const clusterIdsOf = (cluster: ClusterSight): readonly string[] =>
  cluster.kind === 'asked'
    ? [
        ...new Set(
          [...cluster.statuses.values()].flatMap((status) =>
            status.kind === 'answers' ? [status.clusterId] : [],
          ),
        ),
      ]
    : [];
