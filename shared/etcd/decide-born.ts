import { type EtcdDecision, type EtcdStep, type EtcdTerms, type Held, standStill } from './decision.ts';
import { type SeenMember, seeMembers } from './members-seen.ts';
import { nextStep } from './next-step.ts';
import { standingMembers } from './published-members.ts';
import type { PublishedMember } from './records.ts';
import type { EtcdInstance, EtcdSight } from './sight.ts';

/** A cluster was born here and had this id: it is kept, and no other is ever born in its place. */
export function decideBorn(sight: EtcdSight, terms: EtcdTerms, clusterId: string): EtcdDecision {
  const { cluster } = sight;
  const list = cluster.kind === 'asked' ? cluster.list : undefined;
  if (!list) return noList(sight, clusterId);
  if (list.clusterId !== clusterId)
    return standStill(
      sight,
      `the etcd behind these names is cluster ${list.clusterId}, and the one that was born here is ${clusterId}: nothing is changed`,
    );
  const seen = seeMembers(list.members, sight, terms);
  const { step, waits, problems } = nextStep({ seen, sight, terms });
  const settled = sight.instances.filter((instance) => isSettled(instance, seen)).map(idOf);
  return {
    publication: {
      ...terms,
      birth: { kind: 'born', clusterId },
      members: published({ seen, sight, terms, step }),
    },
    ...(step && { step }),
    states: states(seen),
    settled,
    held: heldBy(sight, settled, waits),
    problems,
  };
}

const idOf = ({ instanceId }: EtcdInstance): string => instanceId;

/** A member that serves may go into service; who is a member no more may go. */
function isSettled({ instanceId, phase }: EtcdInstance, seen: readonly SeenMember[]): boolean {
  const one = seen.find((each) => each.instanceId === instanceId);
  if (phase === 'leaving') return one === undefined;
  return one !== undefined && one.healthy && !one.member.isLearner;
}

/** What a member that boots is to start as; only who is in the list may start. */
const states = (seen: readonly SeenMember[]): EtcdDecision['states'] =>
  seen
    .filter(({ instance, fate }) => instance && fate === 'stays')
    .map(({ instanceId }) => ({ instanceId, state: 'existing' }));

/** The members of the list, and the one that is to be added: with existing members, the set must equal the list. */
function published(input: {
  readonly seen: readonly SeenMember[];
  readonly sight: EtcdSight;
  readonly terms: EtcdTerms;
  readonly step: EtcdStep | undefined;
}): readonly PublishedMember[] {
  const { seen, sight, terms, step } = input;
  const standing = new Map(
    standingMembers(sight, terms).map((member) => [member.instanceId, member.addresses]),
  );
  const show = (
    instanceId: string,
    instance?: EtcdInstance,
    missingSince?: number,
  ): readonly PublishedMember[] => {
    const addresses = instance?.addresses.length ? instance.addresses : (standing.get(instanceId) ?? []);
    const since = missingSince === undefined ? {} : { missingSince };
    return addresses.length > 0 ? [{ instanceId, addresses, state: 'existing', ...since }] : [];
  };
  const members = seen.flatMap(({ instanceId, instance, missingSince }) =>
    instanceId ? show(instanceId, instance, missingSince) : [],
  );
  if (step?.kind !== 'add') return members;
  return [
    ...members,
    ...show(
      step.instanceId,
      sight.instances.find((one) => one.instanceId === step.instanceId),
    ),
  ];
}

function heldBy(
  sight: EtcdSight,
  settled: readonly string[],
  waits: ReadonlyMap<string, string>,
): readonly Held[] {
  return sight.instances
    .filter(({ instanceId }) => !settled.includes(instanceId))
    .map(({ instanceId }) => ({ instanceId, why: waits.get(instanceId) ?? 'its member does not serve yet' }));
}

/** Nobody with quorum has answered: nothing can be known for sure, so nothing is done. */
function noList(sight: EtcdSight, clusterId: string): EtcdDecision {
  const { cluster } = sight;
  const failure = cluster.kind === 'asked' ? cluster.failure : undefined;
  const answers =
    cluster.kind === 'asked' ? [...cluster.statuses.values()].filter(({ kind }) => kind === 'answers') : [];
  const why =
    answers.length === 0
      ? `no member of cluster ${clusterId} answers${failure ? ` (${failure})` : ''}: no other is born over it; if it is lost, drover etcd restore, or drover etcd rebirth --cluster-id ${clusterId}`
      : `cluster ${clusterId} has no quorum${failure ? ` (${failure})` : ''}: nothing is changed until it has`;
  return standStill(sight, why);
}
