import type { AutoScalingGroup } from '../../groups/group.ts';
import type { Bounds } from '../groups.ts';
import { askedBounds, basesOf } from './bounds.ts';
import type { BoundRecord, FloorReading, FloorRecord } from './floor-record.ts';
import type { HoldReading } from './hold.ts';

/** A hold is seen by a pass within minutes. One that is older and has no record has lost it. */
const lostAfterSeconds = 600;

/** The record in view of what stands now, and what something else has changed meanwhile. Pure. */
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
  const minSize = recognise('MinSize', record.minSize, { current: group.minSize, asked: asked.minSize });
  const maxSize = recognise('MaxSize', record.maxSize, { current: group.maxSize, asked: asked.maxSize });
  const changes = [...minSize.changes, ...maxSize.changes];
  return {
    record: {
      ...record,
      minSize: minSize.bound,
      maxSize: maxSize.bound,
      ...(changes.length > 0 && { changedAt: now }),
    },
    problems: [...lossOf(record), ...changes],
  };
}

function isLost({ record, holds, now }: Parameters<typeof interpret>[0]): boolean {
  if (record.kind === 'unreadable') return true;
  return holds.some(
    (reading) => reading.kind === 'hold' && now - (reading.hold.createdAt ?? now) >= lostAfterSeconds * 1000,
  );
}

const lossOf = ({ lost, minSize }: FloorRecord): readonly string[] =>
  lost
    ? [
        `the record of the floor was lost or could not be read: MinSize is not lowered below the ${minSize.base} that was found then; when the holds have ended, set MinSize yourself if that is too much`,
      ]
    : [];

/**
 * Parameter Store may answer with a record that another pass has replaced seconds ago. A bound that the holds ask for is therefore ours,
 * although this record does not have it.
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

/** The record before the bounds are set: both are ours from now on. */
export function withOurs(record: FloorRecord, bounds: Bounds, now: number): FloorRecord {
  const { minSize, maxSize, askedAt = record.changedAt } = record;
  const isAskedAgain = newestOf(minSize) === bounds.minSize && newestOf(maxSize) === bounds.maxSize;
  return {
    ...record,
    minSize: addTo(minSize, bounds.minSize),
    maxSize: addTo(maxSize, bounds.maxSize),
    changedAt: now,
    askedAt: isAskedAgain ? askedAt : now,
  };
}

const newestOf = ({ base, ours }: BoundRecord): number => ours.at(-1) ?? base;

const mostRemembered = 40;

const addTo = ({ base, ours }: BoundRecord, size: number): BoundRecord => ({
  base,
  ours: [...ours.filter((other) => other !== size), ...(size === base ? [] : [size])].slice(-mostRemembered),
});

/** The record once Auto Scaling surely shows the last change: what it showed before is forgotten. */
export const settledRecord = (record: FloorRecord, current: Bounds): FloorRecord => ({
  ...record,
  minSize: keepOnly(record.minSize, current.minSize),
  maxSize: keepOnly(record.maxSize, current.maxSize),
});

const keepOnly = ({ base, ours }: BoundRecord, current: number): BoundRecord => ({
  base,
  ours: ours.filter((size) => size === current && size !== base),
});
