import type { EndpointStatus } from './cluster.ts';
import {
  blocked,
  type EtcdDecision,
  type EtcdSettings,
  type EtcdStep,
  type HeldInstance,
} from './decision.ts';
import type { MemberTrouble } from './mark.ts';
import { nextStep } from './next-step.ts';
import type { EtcdInstance, EtcdObservation } from './observe.ts';
import { type Fate, type ObservedMember, observeMembers } from './observed-members.ts';
import { type PublishedMember, publishedMembers } from './records.ts';
import { alarmProblems, listOf, runningEtcds, statusesOf, versionProblems } from './statuses.ts';

/** Decides for a cluster that exists: the birth mark has its id. No second cluster is ever bootstrapped in its place. */
export function decideExisting(
  observation: EtcdObservation,
  settings: EtcdSettings,
  clusterId: string,
): EtcdDecision {
  const statuses = statusesOf(observation.cluster);
  const list = listOf(observation.cluster);
  if (!list) return noList(observation, clusterId);
  if (list.clusterId !== clusterId)
    return blocked(
      observation,
      `the etcd behind these names is cluster ${list.clusterId}, and the one that was born here is ${clusterId}: Drover changes nothing`,
    );
  const observed = observeMembers(list.members, observation, settings);
  const { step, waits, problems } = nextStep({ observed, observation, settings });
  const unknown = mayBeUnknownVoter(observation, observed);
  const settled = observation.instances
    .filter((instance) => isSettled(instance, observed) && !unknown.has(instance.instanceId))
    .map(idOf);
  return {
    publication: {
      ...settings,
      birth: { kind: 'born', clusterId },
      members: published({ observed, observation, settings, step }),
    },
    step,
    formed: observed.filter((one) => mayStart(one) && one.healthy).map(({ instanceId }) => instanceId),
    states: observed
      .filter((one) => mayStart(one) && !one.healthy)
      .map(({ instanceId }) => ({ instanceId, state: 'existing' })),
    settled,
    held: heldBy(observation, settled, new Map([...waits, ...unknown, ...whyContradicted(observed)])),
    problems: [
      ...alarmProblems(statuses, clusterId),
      ...problems,
      ...contradictions(observed),
      ...otherClusters(statuses, clusterId),
      ...[...unknown].map(([instanceId, why]) => `${instanceId}: ${why}`),
      ...versionProblems(statuses, clusterId),
    ],
  };
}

const asLearner =
  'the list of members says that its member votes, but it answers as a learner and serves no client';

const whyContradicted = (observed: readonly ObservedMember[]): readonly (readonly [string, string])[] =>
  observed.filter((one) => one.contradictsList).map(({ instanceId }) => [instanceId, asLearner]);

/** Which of the two is right cannot be decided from here, so Drover neither completes the hook nor removes the member. */
const contradictions = (observed: readonly ObservedMember[]): readonly string[] =>
  observed
    .filter((one) => one.contradictsList)
    .map(
      ({ instanceId, member }) =>
        `${instanceId}: ${asLearner}: restart etcd there; if it stays a learner, run etcdctl member remove ${BigInt(member.id).toString(16)} and terminate the instance`,
    );

/** One sentence for each instance on which the etcd of another cluster answers. Such an etcd is not a member. */
const otherClusters = (statuses: ReadonlyMap<string, EndpointStatus>, clusterId: string): readonly string[] =>
  [...statuses].flatMap(([instanceId, status]) =>
    status.kind === 'answers' && status.clusterId !== clusterId
      ? [
          `the etcd on ${instanceId} answers for cluster ${status.clusterId}, not for ${clusterId}: terminate the instance if nothing needs its data`,
        ]
      : [],
  );

const idOf = ({ instanceId }: EtcdInstance): string => instanceId;

/** An arriving instance is settled once its member serves and votes; a leaving one, once it is not a member. */
function isSettled({ instanceId, phase }: EtcdInstance, observed: readonly ObservedMember[]): boolean {
  const one = observed.find((each) => each.instanceId === instanceId);
  if (phase === 'leaving') return one === undefined;
  return one !== undefined && one.healthy && !one.member.isLearner;
}

/**
 * The leaving instances that may be a voter whose peer URL names no instance, each id with the reason. Only an etcd that answers shows
 * which member it is.
 */
function mayBeUnknownVoter(
  { instances, cluster }: EtcdObservation,
  observed: readonly ObservedMember[],
): ReadonlyMap<string, string> {
  const unknown = observed.find(({ fate, member }) => fate === 'not-ours' && !member.isLearner);
  if (!unknown) return new Map();
  const { id, peerUrls } = unknown.member;
  const isSilent = (instanceId: string): boolean => statusesOf(cluster).get(instanceId)?.kind !== 'answers';
  const why = `its etcd does not answer, and it may be member ${id}, which votes and whose peer URL ${peerUrls[0]} names no instance: remove that member by hand if it is`;
  return new Map(
    instances
      .filter(({ instanceId, phase, runs }) => phase === 'leaving' && runs && isSilent(instanceId))
      .filter(({ instanceId }) => !observed.some((one) => one.instanceId === instanceId))
      .map(({ instanceId }) => [instanceId, why]),
  );
}

/** Only members of the list may start. */
const mayStart = ({ instance, fate, isByName }: ObservedMember): boolean =>
  instance !== undefined && fate === 'stays' && isByName;

/** The members of the list, and the member to be added. etcd requires that the SRV set of an `existing` member equals the list. */
function published(input: {
  readonly observed: readonly ObservedMember[];
  readonly observation: EtcdObservation;
  readonly settings: EtcdSettings;
  readonly step: EtcdStep | undefined;
}): readonly PublishedMember[] {
  const { observed, observation, settings, step } = input;
  const inDns = new Map(publishedMembers(observation, settings).map((member) => [member.instanceId, member]));
  /** A step does not wait until every name server has the start of a trouble, unless later steps depend on it. */
  const isRecorded = (instanceId: string, { kind }: MemberTrouble, fate?: Fate): boolean =>
    kind === 'missing' || fate === 'emptied' || !step || inDns.get(instanceId)?.trouble?.kind === kind;
  const show = (
    instanceId: string,
    instance?: EtcdInstance,
    trouble?: MemberTrouble,
    fate?: Fate,
  ): readonly PublishedMember[] => {
    const addresses = instance?.addresses.length
      ? instance.addresses
      : (inDns.get(instanceId)?.addresses ?? []);
    const recorded = trouble && isRecorded(instanceId, trouble, fate) ? { trouble } : {};
    return addresses.length > 0 ? [{ instanceId, addresses, state: 'existing', ...recorded }] : [];
  };
  const members = observed.flatMap(({ instanceId, isByName, instance, trouble, fate }) =>
    isByName ? show(instanceId, instance, trouble, fate) : [],
  );
  if (step?.kind !== 'add') return members;
  return [
    ...members,
    ...show(
      step.instanceId,
      observation.instances.find((one) => one.instanceId === step.instanceId),
    ),
  ];
}

function heldBy(
  observation: EtcdObservation,
  settled: readonly string[],
  waits: ReadonlyMap<string, string>,
): readonly HeldInstance[] {
  return observation.instances
    .filter(({ instanceId }) => !settled.includes(instanceId))
    .map(({ instanceId }) => ({ instanceId, why: waits.get(instanceId) ?? 'its member does not serve yet' }));
}

/** No member with quorum answered. The state of the cluster is unknown, so Drover changes nothing. */
function noList(observation: EtcdObservation, clusterId: string): EtcdDecision {
  const { cluster } = observation;
  const statuses = statusesOf(cluster);
  const failure = cluster.kind === 'asked' ? cluster.failure : undefined;
  const answers = [...statuses.values()].some(
    (status) => status.kind === 'answers' && status.clusterId === clusterId,
  );
  const refused = runningEtcds(statuses).find((one) => one.clusterId === undefined);
  const because = failure ? ` (${failure})` : '';
  const whyNone = refused
    ? `no member of cluster ${clusterId} can be asked, and it may be running: ${refused.what}. Renew the certificate that has expired or that one side does not trust: drover pki upload publishes that of Drover`
    : `no member of cluster ${clusterId} answers${because}: Drover bootstraps no other cluster over it; if it is lost, run drover etcd restore, or drover etcd rebirth --cluster-id ${clusterId}`;
  const why = answers
    ? `cluster ${clusterId} has no quorum${because}: Drover changes nothing until it has`
    : whyNone;
  const decision = blocked(observation, why);
  return {
    ...decision,
    problems: [
      ...alarmProblems(statuses, clusterId),
      ...decision.problems,
      ...otherClusters(statuses, clusterId),
    ],
  };
}
