import type { LeavingNotice } from '../passes/leaving-notice.ts';
import { EventError, type EventMeaning } from './events/meaning.ts';
import type { LeftAlone } from './intake-report.ts';

/** EventBridge tries to deliver an event for at most 24 hours. */
const oldestSeconds = 86_400;
/** The clocks of AWS services differ by less than this. */
const skewSeconds = 300;

/**
 * Compares the time in the event with the time at which SQS received it, which a sender cannot choose. A warning counts only if EC2
 * could have sent it at its time. Waits and ended instances may be old, because passes read them from Auto Scaling and EC2. No event comes
 * from the future: a launch that does would have passes every few seconds until its time has come, and no join timeout.
 */
export function checkAge(meaning: EventMeaning, receivedAt: number): EventMeaning {
  const { what } = meaning;
  if (timesOf(meaning).some((time) => time > receivedAt + skewSeconds * 1000))
    return { kind: 'malformed', what, error: fromTheFuture };
  if (meaning.kind !== 'leaving') return meaning;
  const { notices } = meaning;
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

function timesOf(meaning: EventMeaning): readonly number[] {
  if (meaning.kind === 'joining') return [Date.parse(meaning.launch.noticedAt)];
  return meaning.kind === 'leaving' ? meaning.notices.map(noticedAt) : [];
}

const noticedAt = (notice: LeavingNotice): number => Date.parse(notice.noticedAt);

const isWarning = ({ cause }: LeavingNotice): boolean =>
  cause === 'spot-interruption' ||
  cause === 'capacity-reservation' ||
  cause === 'rebalance' ||
  cause === 'scheduled-change';

/** A notice that may concern this cluster: the event does not show whether its group is managed. */
export interface Candidate {
  readonly key: string;
  readonly what: string;
  readonly notice: LeavingNotice;
}

interface EventCandidates {
  readonly candidates: readonly Candidate[];
  readonly leftAlone: readonly LeftAlone[];
}

/** The notices of an event whose groups must be looked up, and why the others are left alone. */
export function candidatesOf(
  key: string,
  meaning: EventMeaning,
  { leavingHookName }: { readonly leavingHookName: string },
): EventCandidates {
  const { what } = meaning;
  if (meaning.kind !== 'leaving') {
    const reason = reasonToLeaveAlone(meaning);
    return { candidates: [], leftAlone: reason === undefined ? [] : [{ what, reason }] };
  }
  const isOurs = ({ hook }: LeavingNotice): boolean =>
    hook === undefined || hook.lifecycleHookName === leavingHookName;
  return {
    candidates: meaning.notices.filter(isOurs).map((notice) => ({ key, what, notice })),
    // If our hook waits for the same instance, it has its own event.
    leftAlone: meaning.notices
      .filter((notice) => !isOurs(notice))
      .map(({ hook }) => ({ what, reason: `the hook ${hook?.lifecycleHookName} is not ours` })),
  };
}

/** Undefined for a malformed event, because it is parked. */
function reasonToLeaveAlone(meaning: Exclude<EventMeaning, { kind: 'leaving' }>): string | undefined {
  if (meaning.kind === 'joining') {
    const { instanceId, lifecycleHookName, destination } = meaning.launch;
    if (destination === 'WarmPool') return `${instanceId} is launched into a warm pool, not into service`;
    return `${instanceId} is launched, and the hook ${lifecycleHookName} is not ours`;
  }
  if (meaning.kind === 'ignored') return meaning.reason;
  return meaning.kind === 'unknown' ? 'an unknown kind of event' : undefined;
}
