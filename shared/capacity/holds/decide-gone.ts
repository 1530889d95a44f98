import type { FloorDecision } from './decide-floor.ts';
import { endedNames } from './ended.ts';
import { type GroupHolds } from './read-holds.ts';

/** A new group may not be listed at once, and one that is replaced is away for a while. */
const goneAfterSeconds = 3600;

/** Decides about the holds and the record of a group that does not exist, or is not this cluster's any more. Pure. */
export function decideGone({ holds, record, now }: GroupHolds & { readonly now: number }): Pick<
  FloorDecision,
  'problems'
> & {
  readonly action: Extract<FloorDecision['action'], { kind: 'end' | 'forget' | 'none' }>;
} {
  const ended = endedNames(holds, now);
  if (ended.length > 0) return { action: { kind: 'end', names: ended }, problems: [] };
  const isOld = record.kind === 'record' && now - record.record.changedAt >= goneAfterSeconds * 1000;
  if (holds.length === 0 && isOld) return { action: { kind: 'forget' }, problems: [] };
  return {
    action: { kind: 'none' },
    problems:
      holds.length === 0
        ? []
        : [
            'holds stand for this group, which does not exist or has lost its tags: end them, or tag the group',
          ],
  };
}
