import type { AutoScalingGroup } from '../../groups/group.ts';
import type { FloorDecision } from './decide-floor.ts';
import { endedNames } from './ended.ts';
import type { FloorRecord } from './floor-record.ts';
import type { GroupHolds } from './read-holds.ts';

/** A new group may not be listed at once, and one that is replaced is away for a while. */
const goneAfterSeconds = 3600;

type GoneDecision = Pick<FloorDecision, 'problems'> & {
  readonly action: Extract<FloorDecision['action'], { kind: 'end' | 'forget' | 'none' }>;
};

interface GoneFacts extends GroupHolds {
  /** The group, where it has only lost its tags; undefined: there is none. */
  readonly untagged: AutoScalingGroup | undefined;
  readonly now: number;
}

/** Decides about the holds and the record of a group that does not exist, or is not this cluster's any more. Pure. */
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

/** Without the record nothing would know what MinSize and MaxSize were before the holds. */
const showsOurs = (group: AutoScalingGroup, { minSize, maxSize }: FloorRecord): boolean =>
  minSize.ours.includes(group.minSize) || maxSize.ours.includes(group.maxSize);

const lostTags = ({ minSize, maxSize }: FloorRecord): string =>
  `the group has lost its tags while holds had raised it: tag it again, or set MinSize and MaxSize yourself (without holds they were ${minSize.base} and ${maxSize.base})`;

const holdsOfNone =
  'holds stand for this group, which does not exist or has lost its tags: end them, or tag the group';

const leftAlone = (...problems: readonly string[]): GoneDecision => ({ action: { kind: 'none' }, problems });
