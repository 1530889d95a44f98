import { type ObservedFacts, observedRoll } from '../../../shared/roll/observed-roll.ts';
import { hasEnded, rollStateOf, type StoredRoll } from '../../../shared/roll/rolls-in.ts';
import type { RollView } from '../../state/rolls.ts';

/** A roll for the page. Without facts, and after its end, there is no progress. Pure. */
export function rollView(stored: StoredRoll, facts: ObservedFacts | undefined): RollView {
  const { state, reason, since } = rollStateOf(stored);
  const said = { name: stored.name, state, reason, ...(since !== undefined && { since }) };
  if (stored.ask.kind === 'unreadable') return { ...said, groups: [], moving: [] };
  const { wanted, startedAt, by, canary, bakeSeconds, stopOn, window, groups } = stored.ask.value;
  const observed = facts && needsFacts(stored) ? observedRoll(stored, facts) : undefined;
  return {
    ...said,
    ...(wanted === 'paused' && { isAskedToPause: true }),
    asked: {
      startedAt,
      canary,
      bakeSeconds,
      stopOn,
      ...(by !== undefined && { by }),
      ...(window !== undefined && { window }),
    },
    groups:
      observed?.groups.map(({ autoScalingGroupName, old, fresh, leaving, leftOut }) => ({
        autoScalingGroupName,
        progress: { old, fresh, leaving, leftOut: leftOut.length },
      })) ?? groups.map(({ autoScalingGroupName }) => ({ autoScalingGroupName })),
    moving: observed?.moving ?? [],
  };
}

/** Whether the progress of a roll is worth a read: one that has stopped may be resumed. Pure. */
export const needsFacts = (stored: StoredRoll): boolean =>
  stored.ask.kind === 'read' && (!hasEnded(stored) || stored.seen?.state === 'stopped');
