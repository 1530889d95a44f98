import type { LeavingNotice } from '../passes/leaving-notice.ts';
import { EventError, type EventMeaning } from './events/meaning.ts';

/** EventBridge delivers for at most 24 hours. */
const oldestSeconds = 86_400;
/** The clocks of AWS services differ by less. */
const skewSeconds = 300;

/**
 * Compares the time that an event claims with the time at which SQS received it, which no sender chooses. A warning counts only if EC2
 * could have sent it then. Waits and ended instances need no such check, because passes read them from Auto Scaling and EC2.
 */
export function checkAge(meaning: EventMeaning, receivedAt: number): EventMeaning {
  if (meaning.kind !== 'leaving') return meaning;
  const { what, notices } = meaning;
  const newest = Math.max(...notices.map(noticedAt));
  if (newest > receivedAt + skewSeconds * 1000) return { kind: 'malformed', what, error: fromTheFuture };
  const isOld = (notice: LeavingNotice): boolean =>
    isWarning(notice) && noticedAt(notice) < receivedAt - oldestSeconds * 1000;
  const current = notices.filter((notice) => !isOld(notice));
  return current.length > 0
    ? { ...meaning, notices: current }
    : { kind: 'ignored', what, reason: 'it was a day old when it was sent' };
}

const fromTheFuture = new EventError({
  field: 'time',
  problem: 'later than the time at which SQS received the event',
  remedy: 'the event is parked in the dead-letter queue: find its sender, because AWS sends no such event',
});

const noticedAt = (notice: LeavingNotice): number => Date.parse(notice.noticedAt);

const isWarning = ({ cause }: LeavingNotice): boolean =>
  cause === 'spot-interruption' ||
  cause === 'capacity-reservation' ||
  cause === 'rebalance' ||
  cause === 'scheduled-change';
