import { isDeepStrictEqual } from 'node:util';
import { type AutoScalingGroup, roleOf, whyUnits } from '../../groups/group.ts';
import { readGiveBack } from '../../groups/group-settings.ts';
import type { Bounds } from '../groups.ts';
import type { PodsRecord } from '../pod-holds/pods-reading.ts';
import { activeHolds, boundsFor, changedBounds } from './bounds.ts';
import {
  type FloorReading,
  type FloorRecord,
  type GroupHolds,
  interpret,
  settledRecord,
  withOurs,
} from './floor-record.ts';
import type { HoldReading } from './hold.ts';
import { activePodHolds, arrivedHolds } from './pod-floor.ts';
import { withLacks } from './unmet.ts';

/** What a pass over the capacity of a group has read. */
export interface FloorFacts {
  readonly group: AutoScalingGroup;
  readonly holds: readonly HoldReading[];
  readonly record: FloorReading;
  /** What is known of the pods of holds after a read, see `knowPods`. Defaults to what the record remembers. */
  readonly pods?: PodsRecord | undefined;
  /** The highest MaxSize that Drover sets for a hold. */
  readonly maxSizeLimit: number;
  /** Whether bounds are only raised, because this pass does not bring the newest read of pods, see `knowPods`. */
  readonly raisesOnly?: boolean;
  /** Epoch milliseconds. */
  readonly now: number;
}

/** The next change of a pass. */
export type FloorAction =
  /** Writes the record, then sets the bounds. */
  | { readonly kind: 'set'; readonly record: FloorRecord; readonly bounds: Partial<Bounds> }
  /** Writes the record: the base has changed, or older bounds need no longer be remembered. */
  | { readonly kind: 'write'; readonly record: FloorRecord }
  /** Deletes the parameters of holds that have ended. */
  | { readonly kind: 'end'; readonly names: readonly string[] }
  /** Ends the holds of Jobs early: all their pods were bound at one read. */
  | { readonly kind: 'arrived'; readonly names: readonly string[] }
  /** Deletes the record: the group has its base bounds and no holds. */
  | { readonly kind: 'forget' }
  | { readonly kind: 'wait'; readonly seconds: number }
  | { readonly kind: 'none' };

interface FloorDecision {
  readonly action: FloorAction;
  /** The MinSize that the base and the holds ask for, within MaxSize. */
  readonly floor: number;
  /** Problems for the operator. */
  readonly problems: readonly string[];
}

/** Auto Scaling may return bounds that are ten seconds old, and clocks may differ by a minute and a half. */
const settleSeconds = 120;

/** Decides the next change to the bounds of a group with holds or a record. Pure. */
export function decideFloor(facts: FloorFacts): FloorDecision {
  const units = whyUnits(facts.group);
  if (units === undefined) return decide(facts);
  // Holds ask for nodes, so they are ignored. Bounds that they raised before the group counted units are restored.
  const ignored = activeHolds(facts.holds, facts.now);
  const names = ignored.map(({ name }) => name);
  const holds = facts.holds.filter(
    (reading) => reading.kind !== 'hold' || !names.includes(reading.hold.name),
  );
  const decision = decide({ ...facts, holds, pods: undefined });
  const problems = names.map((name) => `hold ${name} does not count: ${units}`);
  return { ...decision, problems: [...decision.problems, ...problems] };
}

/**
 * The record that a pass over a paused group writes; undefined if the record is up to date. Its bounds are not changed, but what changes them
 * meanwhile, and what the holds lack, is known afterwards. Pure.
 */
export function recordWhilePaused(facts: FloorFacts): FloorRecord | undefined {
  const { group, holds, record: reading } = facts;
  if (reading.kind === 'none' && holds.length === 0) return undefined;
  if (whyUnits(group) !== undefined || whyNotOurs(facts) !== undefined) return undefined;
  const record = withLacks(facts, withPods(facts, interpret(facts).record));
  return isNew(reading, record) || isRefreshed(reading, record) ? record : undefined;
}

function decide(facts: FloorFacts): FloorDecision {
  const { group, holds } = facts;
  const refusal = facts.record.kind === 'none' && holds.length === 0 ? [] : whyNotOurs(facts);
  if (refusal === undefined) return decideBounds(facts);
  return { action: { kind: 'none' }, floor: group.minSize, problems: refusal };
}

function whyNotOurs({ group, record }: FloorFacts): readonly string[] | undefined {
  if (record.kind === 'newer')
    return [
      `a later version of Drover wrote the record of the floor (version ${record.version}), so the bounds are not changed`,
    ];
  if (roleOf(group) === 'etcd')
    return ['the size of an etcd group is the membership of etcd, so no hold changes it'];
  return undefined;
}

function decideBounds(facts: FloorFacts): FloorDecision {
  const { record: interpreted, problems } = interpret(facts);
  const record = withLacks(facts, withPods(facts, interpreted));
  const wanted = boundsFor(record, facts);
  return {
    action: nextAction(facts, record, wanted.bounds),
    floor: wanted.bounds.minSize,
    problems: [...problems, ...wanted.problems],
  };
}

function nextAction(facts: FloorFacts, record: FloorRecord, wanted: Bounds): FloorAction {
  const { group, now } = facts;
  const age = Math.abs(now - record.changedAt);
  const isSettled = age >= settleSeconds * 1000;
  const bounds = mayLower(facts, isSettled) ? wanted : raisedOnly(group, wanted);
  const changes = changedBounds(group, bounds);
  if (Object.keys(changes).length > 0)
    return { kind: 'set', bounds: changes, record: withOurs(record, bounds, now) };
  const arrived = arrivedHolds(facts);
  if (arrived.length > 0) return { kind: 'arrived', names: arrived };
  if (isNew(facts.record, record)) return { kind: 'write', record };
  const refresh = isRefreshed(facts.record, record) ? ({ kind: 'write', record } as const) : undefined;
  if (!isSettled) return refresh ?? { kind: 'wait', seconds: Math.ceil(settleSeconds - age / 1000) };
  const action = tidy(facts, record);
  return action.kind === 'none' ? (refresh ?? action) : action;
}

/** Nothing is remembered of pods without an active hold for pods. */
const withPods = ({ pods, holds, now }: FloorFacts, interpreted: FloorRecord): FloorRecord => {
  const { pods: remembered, ...record } = interpreted;
  const known = pods ?? remembered;
  return known === undefined || activePodHolds(holds, now).length === 0 ? record : { ...record, pods: known };
};

/** Bounds are raised at once. They are lowered only if what was read is certainly newer than the last change, and every hold can be read. */
const mayLower = ({ holds, raisesOnly }: FloorFacts, isSettled: boolean): boolean =>
  isSettled && raisesOnly !== true && holds.every(({ kind }) => kind === 'hold');

const raisedOnly = (current: Bounds, wanted: Bounds): Bounds => ({
  minSize: Math.max(current.minSize, wanted.minSize),
  maxSize: Math.max(current.maxSize, wanted.maxSize),
});

/** Apart from the pods, which are read again each minute: that must not keep ended holds from being deleted. */
const isNew = (reading: FloorReading, record: FloorRecord): boolean => {
  if (reading.kind !== 'record') return true;
  return !isDeepStrictEqual({ ...reading.record, pods: undefined }, { ...record, pods: undefined });
};

const isRefreshed = (reading: FloorReading, { pods }: FloorRecord): boolean =>
  reading.kind === 'record' && !isDeepStrictEqual(reading.record.pods, pods);

/** The bounds are as they should be: deletes what is no longer needed. */
function tidy({ group, holds, now }: FloorFacts, record: FloorRecord): FloorAction {
  const ended = endedNames(holds, now);
  if (ended.length > 0) return { kind: 'end', names: ended };
  const settled = settledRecord(record, group);
  const isAtBase = settled.minSize.ours.length === 0 && settled.maxSize.ours.length === 0;
  const isKept = shallGiveBack(group, { holds, record: { kind: 'record', record }, now });
  if (holds.length === 0 && isAtBase && !isKept) return { kind: 'forget' };
  return isDeepStrictEqual(settled, record) ? { kind: 'none' } : { kind: 'write', record: settled };
}

/** A new group may not be listed immediately, and a group that is being replaced is missing for a while. */
const goneAfterSeconds = 3600;

type GoneDecision = Pick<FloorDecision, 'problems'> & {
  readonly action: Extract<FloorDecision['action'], { kind: 'end' | 'forget' | 'none' }>;
};

interface GoneFacts extends GroupHolds {
  /** The group if it has only lost its tags; undefined if it does not exist. */
  readonly untagged: AutoScalingGroup | undefined;
  readonly now: number;
}

/** Decides about the holds and the record of a group that does not exist or no longer belongs to this cluster. Pure. */
export function decideGone({ holds, record, untagged, now }: GoneFacts): GoneDecision {
  const ended = endedNames(holds, now);
  if (ended.length > 0) return { action: { kind: 'end', names: ended }, problems: [] };
  if (holds.length > 0) return leftAlone(holdsOfNone);
  switch (record.kind) {
    case 'none':
    case 'newer':
      return leftAlone();
    case 'unreadable':
      return { action: { kind: 'forget' }, problems: [] };
    case 'record': {
      if (untagged && showsOurs(untagged, record.record)) return leftAlone(lostTags(record.record));
      const isOld = now - record.record.changedAt >= goneAfterSeconds * 1000;
      return isOld ? { action: { kind: 'forget' }, problems: [] } : leftAlone();
    }
  }
}

/** Only the record knows what MinSize and MaxSize were before the holds. */
const showsOurs = (group: AutoScalingGroup, { minSize, maxSize }: FloorRecord): boolean =>
  minSize.ours.includes(group.minSize) || maxSize.ours.includes(group.maxSize);

const lostTags = ({ minSize, maxSize }: FloorRecord): string =>
  `the group has lost its tags while holds had raised it: tag it again, or set MinSize and MaxSize yourself (without holds they were ${minSize.base} and ${maxSize.base})`;

const holdsOfNone =
  'this group has holds, but it does not exist or has lost its tags: end the holds, or tag the group';

const leftAlone = (...problems: readonly string[]): GoneDecision => ({ action: { kind: 'none' }, problems });

/** For this time after the last hold, empty nodes are given back. Afterwards only the autoscaler scales the group. */
const giveBackSeconds = 3600;

/**
 * Whether empty nodes of a group are given back now: the group asks for it, its last hold has ended within the last hour, and MinSize is the
 * base again. A hold that cannot be read may be active. Pure.
 */
export function shallGiveBack(
  group: AutoScalingGroup,
  { holds, record, now }: GroupHolds & { readonly now: number },
): boolean {
  if (!readGiveBack(group.tags).isOn || group.countsUnits || record.kind !== 'record') return false;
  const { changedAt, minSize } = record.record;
  return (
    holds.every(({ kind }) => kind === 'hold') &&
    activeHolds(holds, now).length === 0 &&
    group.minSize === minSize.base &&
    group.desiredCapacity > group.minSize &&
    Math.abs(now - changedAt) < giveBackSeconds * 1000
  );
}

/** The parameter of a hold is kept for this time after its end: a hold that was extended just before its end must not be deleted. */
const keptAfterEndSeconds = 120;

/** The names of the holds whose parameters can be deleted. */
const endedNames = (holds: readonly HoldReading[], now: number): readonly string[] =>
  holds.flatMap((reading) =>
    reading.kind === 'hold' && reading.hold.until + keptAfterEndSeconds * 1000 <= now
      ? [reading.hold.name]
      : [],
  );
