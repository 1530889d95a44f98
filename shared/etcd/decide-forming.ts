import { serves } from './cluster.ts';
import { blocked, type EtcdDecision, type EtcdSettings, emptyDecision, holdAll } from './decision.ts';
import type { BirthState } from './mark.ts';
import { instanceOfMember } from './names.ts';
import type { ClusterObservation, EtcdObservation } from './observation.ts';
import { hasStalled, patienceSeconds } from './patience.ts';
import { publishedMembers } from './published-members.ts';
import { quorumOf } from './quorum.ts';

type Forming = Extract<BirthState, { readonly kind: 'forming' }>;

/**
 * Decides while the published first members form their cluster. The published set is frozen until then. The cluster is formed when
 * one cluster has a quorum of the set, and every member of the set that runs and does not leave serves in it. Its id becomes the birth mark.
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
  const ids = clusterIdsOf(observation.cluster, set);
  if (ids.length > 1)
    return terminateThem(
      observation,
      `the first members have formed ${ids.length} clusters (${ids.join(', ')}), which cannot be repaired: terminate them all, then run drover etcd rebirth --forming`,
    );
  const running = set.filter((instanceId) => runs(observation, instanceId));
  if (running.length < quorumOf(set.length)) {
    const few = `of the ${set.length} first members ${running.length} are left, too few to form a cluster: if they never served, terminate them`;
    return isPartOf(observation.cluster, set, settings)
      ? terminateThem(observation, `${few}, and run drover etcd rebirth --forming`)
      : blocked(
          observation,
          `${few}, complete their hooks by hand (aws autoscaling complete-lifecycle-action), and run drover etcd rebirth --forming`,
        );
  }
  const serving = running.filter((instanceId) => isServing(observation.cluster, instanceId));
  const silent = running.filter((instanceId) => !serving.includes(instanceId));
  // A member that leaves and never served is removed once the cluster is recorded.
  const isFormed =
    serving.length >= quorumOf(set.length) && silent.every((instanceId) => leaves(observation, instanceId));
  const list = observation.cluster.kind === 'asked' ? observation.cluster.list : undefined;
  if (!list || !isFormed)
    return {
      ...frozen,
      // A member that finds too few peers answers no call, so only the time shows that it is stuck.
      problems: hasStalled(observation, settings)
        ? [
            `the first members have formed no cluster for ${patienceSeconds / 60} minutes: ${silent.join(', ')} does not serve`,
          ]
        : [],
      held: holdAll(
        observation.instances,
        `the first members form a cluster: ${silent.join(', ') || 'it'} does not serve yet`,
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
    formed: serving,
    states: [],
    held: holdAll(observation.instances, 'Drover is recording the id of the new cluster'),
  };
}

/** Lets the instances that leave go, since that is the advice: none of their clusters was ever the one of the domain. */
function terminateThem({ instances }: EtcdObservation, problem: string): EtcdDecision {
  const settled = instances.filter(({ phase }) => phase === 'leaving').map(({ instanceId }) => instanceId);
  const staying = instances.filter(({ phase }) => phase !== 'leaving');
  return { ...emptyDecision, settled, held: holdAll(staying, problem), problems: [problem] };
}

/** The etcd that answers formed its cluster with a part of the first set alone, as a member does that saw too few records. */
function isPartOf(
  cluster: ClusterObservation,
  set: readonly string[],
  { naming }: Pick<EtcdSettings, 'naming'>,
): boolean {
  if (cluster.kind !== 'asked' || !cluster.list) return false;
  const listed = cluster.list.members.map((member) => instanceOfMember(member, naming));
  return !set.every((instanceId) => listed.includes(instanceId));
}

const runs = ({ instances }: EtcdObservation, id: string): boolean =>
  instances.some(({ instanceId, runs: isRunning }) => instanceId === id && isRunning);

const leaves = ({ instances }: EtcdObservation, id: string): boolean =>
  instances.some(({ instanceId, phase }) => instanceId === id && phase === 'leaving');

const isServing = (cluster: ClusterObservation, instanceId: string): boolean =>
  cluster.kind === 'asked' && serves(cluster.statuses.get(instanceId));

/** An etcd on an instance outside the set is no sign of a split. */
const clusterIdsOf = (cluster: ClusterObservation, set: readonly string[]): readonly string[] =>
  cluster.kind === 'asked'
    ? [
        ...new Set(
          set.flatMap((instanceId) => {
            const status = cluster.statuses.get(instanceId);
            return status?.kind === 'answers' ? [status.clusterId] : [];
          }),
        ),
      ]
    : [];
