import { again, longestWaitSeconds, type Outcome } from '../../passes/outcome.ts';
import type { JoiningContext } from '../context.ts';
import type { Joining, Judged, Overdue, Planned } from '../state.ts';

/** Most nodes join within this time, and are asked for often: a pod may wait for them. */
const quickMilliseconds = 300_000;
const quickSeconds = 5;

/** Waits on. An instance past its deadline is held, and said to be overdue. */
export async function awaitJoin(
  { clock }: JoiningContext,
  { readiness, plan: { since, deadlines }, group, held }: Joining & Planned & Judged & Overdue,
): Promise<Outcome> {
  const now = clock.now();
  const overdueSeconds = Math.max(0, Math.floor((now - deadlines.deadline) / 1000));
  const overdue = overdueSeconds > 0 ? `; it should have joined ${overdueSeconds} s ago` : '';
  const why = held ? `; ${held.reason}` : '';
  const seconds = now - since < quickMilliseconds ? quickSeconds : longestWaitSeconds;
  return again(seconds, `${readiness.reason}${overdue}${why}`, {
    autoScalingGroupName: group.autoScalingGroupName,
    joinOverdueSeconds: overdueSeconds,
    ...(held?.isBackedOff && { joinsBackedOff: 1 }),
    ...(readiness.kind === 'waiting' && { waitsFor: readiness.waitsFor }),
  });
}
