import type { EtcdSettings } from './decision.ts';
import type { EtcdNotice } from './message.ts';
import { instanceOfMember } from './names.ts';
import type { EtcdInstance, EtcdObservation } from './observe.ts';
import { listOf } from './statuses.ts';

/** What the warnings about the members of a zone change in what a pass decides. */
export interface Warned {
  /** The instances, where those that leave on a warning are `leaving`. */
  readonly instances: readonly EtcdInstance[];
  /** Why the pass runs again although nothing else is left to do: only the messages show what was warned of. */
  readonly waits?: string;
  /** The instances whose warning has to wait, and why. */
  readonly held: readonly string[];
}

interface WarnedInput {
  /** Warnings that EC2 could have sent. */
  readonly notices: readonly EtcdNotice[];
  readonly observation: EtcdObservation;
  readonly settings: Pick<EtcdSettings, 'naming'>;
}

/**
 * EC2 takes an instance in two minutes, before Auto Scaling lets it leave, so a member leaves on the warning. Nothing proves that EC2 has
 * sent it. Therefore at most one member at a time leaves because of warnings: another one has to wait until the first has left and as
 * many members vote as the groups should have. A warning whose time has passed is ignored: the instance is gone, or it stays. Pure.
 */
export function withWarnings({ notices, observation, settings }: WarnedInput): Warned {
  const { now, instances } = observation;
  const ends = endsOf(notices, now);
  const voters = votersOf(observation, settings);
  const isPending = ({ instanceId }: EtcdInstance): boolean => (ends.get(instanceId) ?? 0) > now;
  const pending = instances.filter((one) => one.phase !== 'arriving' && isPending(one));
  const isArriving = (id: string): boolean =>
    instances.some(({ instanceId, phase }) => instanceId === id && phase === 'arriving');
  const isWhole = voters.size >= observation.desiredMembers;
  const left = isWhole ? [] : [...ends.keys()].filter((id) => !voters.has(id) && !isArriving(id));
  const [next, ...others] = pending
    .filter(({ instanceId }) => voters.has(instanceId))
    .toSorted((one, other) => byAutoScaling(one, other) || byEnd(ends, one, other));
  const chosen = left.length === 0 ? next : undefined;
  const held = [...(next && !chosen ? [next] : []), ...others];
  const leaving = new Set(pending.filter((one) => !held.includes(one)).map(({ instanceId }) => instanceId));
  const waits = whyAgain({ ends, pending, left });
  return {
    instances: instances.map((one) =>
      leaving.has(one.instanceId) ? { ...one, phase: 'leaving', unheld: true } : one,
    ),
    held: held.map(
      ({ instanceId }) =>
        `${instanceId}: only a warning says that EC2 takes it, and one member at a time leaves on a warning: it waits for ${chosen?.instanceId ?? left[0]}, or for Auto Scaling`,
    ),
    ...(waits && { waits }),
  };
}

/** The time of the warnings about each instance, in epoch milliseconds: the next one if there are several, or the last one. */
function endsOf(notices: readonly EtcdNotice[], now: number): ReadonlyMap<string, number> {
  const times = Map.groupBy(
    notices.flatMap(({ cause, instanceId, deadline }) =>
      cause === 'taken' && instanceId && deadline ? [{ instanceId, at: Date.parse(deadline) }] : [],
    ),
    ({ instanceId }) => instanceId,
  );
  const endOf = (all: readonly number[]): number => {
    const toCome = all.filter((at) => at > now);
    return toCome.length > 0 ? Math.min(...toCome) : Math.max(...all);
  };
  return new Map([...times].map(([instanceId, some]) => [instanceId, endOf(some.map(({ at }) => at))]));
}

/** The instances of the members that vote. Without a list of members these are the instances in service. */
function votersOf(
  { cluster, instances }: EtcdObservation,
  { naming }: WarnedInput['settings'],
): ReadonlySet<string> {
  const list = listOf(cluster);
  if (!list)
    return new Set(instances.filter(({ phase }) => phase === 'serving').map(({ instanceId }) => instanceId));
  const voters = list.members.filter(({ isLearner }) => !isLearner);
  return new Set(voters.map((member) => instanceOfMember(member, naming) ?? member.id));
}

/** An instance that Auto Scaling lets leave comes first: its word can be checked. */
const byAutoScaling = (one: EtcdInstance, other: EtcdInstance): number =>
  Number(other.phase === 'leaving') - Number(one.phase === 'leaving');

const byEnd = (ends: ReadonlyMap<string, number>, one: EtcdInstance, other: EtcdInstance): number =>
  (ends.get(one.instanceId) ?? 0) - (ends.get(other.instanceId) ?? 0) ||
  (one.instanceId < other.instanceId ? -1 : 1);

/** Without the messages, the next pass would add the instance again, or would let a second member leave on a warning. */
function whyAgain(input: {
  readonly ends: ReadonlyMap<string, number>;
  readonly pending: readonly EtcdInstance[];
  readonly left: readonly string[];
}): string | undefined {
  const [first] = input.pending;
  if (first) {
    const end = new Date(input.ends.get(first.instanceId) ?? 0).toISOString();
    return `EC2 reclaims ${first.instanceId} at ${end}`;
  }
  const [gone] = input.left;
  return gone && `${gone} has left on a warning, and too few members vote yet`;
}
