import type { LeavingNotice } from '../passes/leaving-notice.ts';
import type { EventMeaning } from './events/meaning.ts';
import type { LeftAlone } from './report.ts';

/** A notice that may concern this cluster, as far as the event alone can tell. */
export interface Candidate {
  readonly key: string;
  readonly what: string;
  readonly notice: LeavingNotice;
}

export interface EventCandidates {
  readonly candidates: readonly Candidate[];
  readonly leftAlone: readonly LeftAlone[];
}

/** The notices of an event that need a look-up, and why the others are left alone. */
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
    // Our hook has its own action for the same instance.
    leftAlone: meaning.notices
      .filter((notice) => !isOurs(notice))
      .map(({ hook }) => ({ what, reason: `the hook ${hook?.lifecycleHookName} is not ours` })),
  };
}

/** Undefined for a malformed event, which is parked. */
function reasonToLeaveAlone(meaning: Exclude<EventMeaning, { kind: 'leaving' }>): string | undefined {
  if (meaning.kind === 'joining') {
    const { instanceId, lifecycleHookName, destination } = meaning.launch;
    if (destination === 'WarmPool') return `${instanceId} is launched into a warm pool, not into service`;
    return `${instanceId} is launched, and the hook ${lifecycleHookName} is not ours`;
  }
  if (meaning.kind === 'ignored') return meaning.reason;
  return meaning.kind === 'unknown' ? 'an unknown kind of event' : undefined;
}
