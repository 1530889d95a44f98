import { serves } from './cluster.ts';
import {
  blocked,
  type EtcdDecision,
  type EtcdSettings,
  emptyDecision,
  hasStalled,
  holdAll,
  patienceSeconds,
} from './decision.ts';
import { type BirthState, findHostMarks } from './mark.ts';
import { instanceOfMember } from './names.ts';
import { quorumOf } from './next-step.ts';
import type { ClusterObservation, EtcdInstance, EtcdObservation } from './observe.ts';
import { publishedMembers } from './records.ts';
import { listOf, type RunningEtcd, runningEtcds, statusesOf } from './statuses.ts';

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
  // An instance that leaves before anything was published is not a member.
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

const advice = 'Check why Auto Scaling launches no more instances, or lower the desired capacity';

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

/** Records of hosts prove that a cluster was formed here, although its mark is gone. */
function lostMarkIn({ zone }: EtcdObservation, { clusterName, naming }: EtcdSettings): string | undefined {
  const ours = [...findHostMarks(zone.records, naming).values()].filter(
    (mark) => mark.clusterName === clusterName,
  );
  if (ours.length === 0) return undefined;
  const hosts = ours.map(({ instanceId }) => instanceId).join(', ');
  return `the mark of ${naming.domain} was deleted, but the records of ${hosts} still exist: Drover publishes nothing and completes no hook. Run drover etcd adopt --cluster-id ID while the cluster answers; if it is lost, drover etcd rebirth --forming`;
}

/** Drover has published nothing here, or its mark was deleted. A running etcd was formed without this mark, and each instance may be one of its voters. */
function foreignClusterIn({ cluster }: EtcdObservation): string | undefined {
  const [found] = runningEtcds(statusesOf(cluster)).toSorted(withIdFirst);
  if (!found) return undefined;
  const nothing = 'Drover publishes nothing and completes no hook';
  if (found.clusterId === undefined)
    return `${found.what}, and the domain has no mark: ${nothing}. Publish a certificate that it accepts (drover pki upload), or terminate the instance`;
  return `an etcd that Drover has not formed answers on ${found.instanceId}: ${nothing}. If it is the right one, run drover etcd adopt --cluster-id ${found.clusterId}`;
}

const withIdFirst = (one: RunningEtcd, other: RunningEtcd): number =>
  Number(one.clusterId === undefined) - Number(other.clusterId === undefined);

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
  const list = listOf(observation.cluster);
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

/** Completes the hooks of leaving instances, because the advice is to terminate them: no cluster of theirs was ever recorded. */
function terminateThem({ instances }: EtcdObservation, problem: string): EtcdDecision {
  const settled = instances.filter(({ phase }) => phase === 'leaving').map(({ instanceId }) => instanceId);
  const staying = instances.filter(({ phase }) => phase !== 'leaving');
  return { ...emptyDecision, settled, held: holdAll(staying, problem), problems: [problem] };
}

/** The etcd that answers formed its cluster with only a part of the first set, because it saw too few records. */
function isPartOf(
  cluster: ClusterObservation,
  set: readonly string[],
  { naming }: Pick<EtcdSettings, 'naming'>,
): boolean {
  const list = listOf(cluster);
  if (!list) return false;
  const listed = list.members.map((member) => instanceOfMember(member, naming));
  return !set.every((instanceId) => listed.includes(instanceId));
}

const runs = ({ instances }: EtcdObservation, id: string): boolean =>
  instances.some(({ instanceId, runs: isRunning }) => instanceId === id && isRunning);

const leaves = ({ instances }: EtcdObservation, id: string): boolean =>
  instances.some(({ instanceId, phase }) => instanceId === id && phase === 'leaving');

const isServing = (cluster: ClusterObservation, instanceId: string): boolean =>
  serves(statusesOf(cluster).get(instanceId));

/** An etcd on an instance outside the set is not a sign of a split. */
const clusterIdsOf = (cluster: ClusterObservation, set: readonly string[]): readonly string[] => [
  ...new Set(
    set.flatMap((instanceId) => {
      const status = statusesOf(cluster).get(instanceId);
      return status?.kind === 'answers' ? [status.clusterId] : [];
    }),
  ),
];
