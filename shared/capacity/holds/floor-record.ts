import * as z from 'zod/mini';
import { describeIssues } from '../../base/issues.ts';
import { lazily } from '../../base/lazily.ts';
import { parseJson } from '../../base/parse-json.ts';
import type { AutoScalingGroup } from '../../groups/group.ts';
import type { Bounds } from '../groups.ts';
import {
  type PodsRecord,
  podsRecordJson,
  podsRecordOf,
  podsRecordSchema,
} from '../pod-holds/pods-reading.ts';
import { activeHolds, askedBounds, basesOf } from './bounds.ts';
import type { HoldReading } from './hold.ts';

/** One bound of a group: its value without holds, and the values that Drover has set or is about to set. */
interface BoundRecord {
  readonly base: number;
  /** The last one is the newest. There is more than one while Auto Scaling may still return an older one. */
  readonly ours: readonly number[];
}

/** A number of nodes that holds ask for, and that was not in service at any read since. */
export interface Lack {
  readonly nodes: number;
  /** Epoch milliseconds. */
  readonly since: number;
}

/**
 * What Drover knows about the bounds of a group. The record is written before MinSize or MaxSize is changed, so that the next pass recognizes
 * them whatever happened in between. A bound that is neither the base nor one of ours was set by something else and is the new base.
 */
export interface FloorRecord {
  readonly minSize: BoundRecord;
  readonly maxSize: BoundRecord;
  /** Epoch milliseconds of the last change that Drover made or found. */
  readonly changedAt: number;
  /** The numbers of nodes that the holds ask for and that are not in service, ascending. */
  readonly lacks?: readonly Lack[];
  /** The holds lack nodes, and a notification was sent. */
  readonly unmet?: true;
  /** The record was lost while there were holds: the base is the value that was found then and may be too high. */
  readonly lost?: true;
  /** What is known of the pods that holds ask room for; undefined without an active hold for pods. */
  readonly pods?: PodsRecord;
}

/**
 * - `none`: there is no parameter;
 * - `record`: it can be read;
 * - `newer`: a later version of Drover wrote it, so nothing is changed;
 * - `unreadable`: it is not a record, so the base is unknown.
 */
export type FloorReading =
  | { readonly kind: 'none' }
  | { readonly kind: 'record'; readonly record: FloorRecord }
  | { readonly kind: 'newer'; readonly version: number }
  | { readonly kind: 'unreadable'; readonly why: string };

/** The holds and the record of one group. */
export interface GroupHolds {
  readonly holds: readonly HoldReading[];
  readonly record: FloorReading;
}

const size = () => z.int().check(z.nonnegative());
const bound = () => z.object({ base: size(), ours: z.array(size()).check(z.maxLength(50)) });

const schema = lazily(() =>
  z.object({
    version: z.literal(1),
    minSize: bound(),
    maxSize: bound(),
    changedAt: z.iso.datetime(),
    lacks: z.optional(z.array(z.object({ nodes: size(), since: z.iso.datetime() })).check(z.maxLength(50))),
    unmet: z.optional(z.literal(true)),
    lost: z.optional(z.literal(true)),
    pods: z.optional(podsRecordSchema()),
  }),
);

const envelope = lazily(() => z.object({ version: z.int().check(z.minimum(2)) }));

/** Reads the text of the record's parameter; undefined if the parameter does not exist. */
export function readFloorRecord(text: string | undefined): FloorReading {
  if (text === undefined) return { kind: 'none' };
  const value = parseJson(text);
  const newer = envelope().safeParse(value);
  if (newer.success) return { kind: 'newer', version: newer.data.version };
  const parsed = schema().safeParse(value);
  if (!parsed.success) return { kind: 'unreadable', why: describeIssues(parsed.error) };
  const { minSize, maxSize, changedAt, lacks, unmet, lost, pods } = parsed.data;
  return {
    kind: 'record',
    record: {
      minSize,
      maxSize,
      changedAt: Date.parse(changedAt),
      ...(lacks && { lacks: lacks.map(({ nodes, since }) => ({ nodes, since: Date.parse(since) })) }),
      ...(unmet && { unmet }),
      ...(lost && { lost }),
      ...(pods && { pods: podsRecordOf(pods) }),
    },
  };
}

export const formatFloorRecord = ({
  minSize,
  maxSize,
  changedAt,
  lacks,
  unmet,
  lost,
  pods,
}: FloorRecord): string =>
  JSON.stringify({
    version: 1,
    minSize,
    maxSize,
    changedAt: new Date(changedAt).toISOString(),
    ...(lacks && {
      lacks: lacks.map(({ nodes, since }) => ({ nodes, since: new Date(since).toISOString() })),
    }),
    ...(unmet && { unmet }),
    ...(lost && { lost }),
    ...(pods && { pods: podsRecordJson(pods) }),
  });

/** A pass writes the record within seconds of a hold, and Parameter Store returns it seconds later. */
const writtenWithinSeconds = 120;

/** The record updated with what the group shows now: changes that something else has made become the base. Pure. */
export function interpret(facts: {
  readonly group: AutoScalingGroup;
  readonly holds: readonly HoldReading[];
  readonly record: FloorReading;
  readonly maxSizeLimit: number;
  readonly now: number;
}): { readonly record: FloorRecord; readonly problems: readonly string[] } {
  const { group, now } = facts;
  if (facts.record.kind !== 'record') {
    const record = {
      minSize: { base: group.minSize, ours: [] },
      maxSize: { base: group.maxSize, ours: [] },
      changedAt: now,
      ...(isLost(facts) && { lost: true as const }),
    };
    return { record, problems: lossOf(record) };
  }
  const { record } = facts.record;
  const asked = askedBounds(basesOf(record), facts);
  const maxSize = recognise('MaxSize', record.maxSize, { current: group.maxSize, asked: asked.maxSize });
  // A tool that sets a fixed size sets both. Drover reduces MinSize to a new MaxSize only after it has recorded that MaxSize.
  const isMaxSizeKnown = maxSize.changes.length === 0;
  const { minSize: askedMinSize } = isMaxSizeKnown
    ? asked
    : askedBounds(basesOf(record), { ...facts, group: { ...group, maxSize: Infinity } });
  const minSize = recognise('MinSize', record.minSize, { current: group.minSize, asked: askedMinSize });
  const changes = [...minSize.changes, ...maxSize.changes];
  // If something else sets MinSize, that is the base: the loss is over.
  const { lost, ...known } = record;
  const isStillLost = lost === true && minSize.changes.length === 0;
  const next: FloorRecord = {
    ...known,
    minSize: minSize.bound,
    maxSize: maxSize.bound,
    ...(changes.length > 0 && { changedAt: now }),
    ...(isStillLost && { lost }),
  };
  return { record: next, problems: [...lossOf(next), ...changes] };
}

/**
 * Drover writes the record before it raises MinSize. If there is none although MinSize is what an active hold asks for, the record was lost.
 * The age of a hold does not prove it: while a group is paused, or AWS throttles, no pass writes the record of an old hold either.
 */
function isLost({ record, holds, group, now }: Parameters<typeof interpret>[0]): boolean {
  if (record.kind === 'unreadable') return true;
  return activeHolds(holds, now).some(
    ({ nodes, createdAt = 0 }) =>
      nodes > 0 &&
      Math.min(nodes, group.maxSize) === group.minSize &&
      now - createdAt >= writtenWithinSeconds * 1000,
  );
}

const lossOf = ({ lost, minSize }: FloorRecord): readonly string[] =>
  lost
    ? [
        `the record of the floor was lost or could not be read: MinSize is not lowered below the ${minSize.base} that was found then; if that is too high, set MinSize to what it is without holds`,
      ]
    : [];

/**
 * Parameter Store may return a record that another pass has replaced seconds ago. A bound that the holds ask for is therefore one of ours
 * even if this record does not contain it.
 */
function recognise(
  name: string,
  bound: BoundRecord,
  { current, asked }: { readonly current: number; readonly asked: number },
): { readonly bound: BoundRecord; readonly changes: readonly string[] } {
  if (current === bound.base || bound.ours.includes(current)) return { bound, changes: [] };
  if (current === asked) return { bound: addTo(bound, current), changes: [] };
  return {
    bound: { ...bound, base: current },
    changes: [`something else set ${name} to ${current}, which is the base now (it was ${bound.base})`],
  };
}

/** Whether a bound of the group is neither the base nor one of ours, by this record. Pure. */
export function showsOthers(facts: Parameters<typeof interpret>[0]): boolean {
  if (facts.record.kind !== 'record') return false;
  const { minSize, maxSize } = facts.record.record;
  const { record } = interpret(facts);
  return record.minSize.base !== minSize.base || record.maxSize.base !== maxSize.base;
}

/** The record to write before the bounds are set: both become ours. */
export function withOurs(record: FloorRecord, bounds: Bounds, now: number): FloorRecord {
  const { minSize, maxSize } = record;
  return {
    ...record,
    minSize: addTo(minSize, bounds.minSize),
    maxSize: addTo(maxSize, bounds.maxSize),
    changedAt: now,
  };
}

const mostRemembered = 40;

const addTo = ({ base, ours }: BoundRecord, size: number): BoundRecord => ({
  base,
  ours: [...ours.filter((other) => other !== size), ...(size === base ? [] : [size])].slice(-mostRemembered),
});

/** The record when Auto Scaling certainly shows the last change: older bounds are removed. */
export const settledRecord = (record: FloorRecord, current: Bounds): FloorRecord => ({
  ...record,
  minSize: keepOnly(record.minSize, current.minSize),
  maxSize: keepOnly(record.maxSize, current.maxSize),
});

const keepOnly = ({ base, ours }: BoundRecord, current: number): BoundRecord => ({
  base,
  ours: ours.filter((size) => size === current && size !== base),
});
