import type { EventMeaning } from '../events/meaning.ts';
import type { LeavingNotice } from '../notice.ts';
import type { LeftAlone } from './report.ts';

/** A notice that may concern us, as far as the event alone can tell. */
export interface Candidate {
  readonly key: string;
  readonly what: string;
  readonly notice: LeavingNotice;
}

export interface Concern {
  readonly candidates: readonly Candidate[];
  readonly leftAlone: readonly LeftAlone[];
}

/**
 * What the event alone says: notices to look further into, or why it is left alone. A lifecycle action of another hook than
 * ours is another's to complete, and ours has an action of its own for the same instance.
 */
export function concernOf(key: string, meaning: EventMeaning, leavingHookName: string): Concern {
  const { what } = meaning;
  if (meaning.kind === 'leaving') {
    const isOurs = ({ hook }: LeavingNotice): boolean =>
      hook === undefined || hook.lifecycleHookName === leavingHookName;
    const others = meaning.notices.filter((notice) => !isOurs(notice));
    return {
      candidates: meaning.notices.filter(isOurs).map((notice) => ({ key, what, notice })),
      leftAlone: others.map((notice) => ({ what, reason: notOurHook(notice) })),
    };
  }
  const reason = reasonToLeaveAlone(meaning);
  return { candidates: [], leftAlone: reason === undefined ? [] : [{ what, reason }] };
}

/** Undefined for what is malformed: that is parked. */
function reasonToLeaveAlone(meaning: Exclude<EventMeaning, { kind: 'leaving' }>): string | undefined {
  if (meaning.kind === 'joining')
    return `${meaning.launch.instanceId} joins, and no pass of this deployment waits for that`;
  if (meaning.kind === 'ignored') return meaning.reason;
  return meaning.kind === 'unknown' ? 'an unknown kind of event' : undefined;
}

const notOurHook = ({ hook }: LeavingNotice): string => `the hook ${hook?.lifecycleHookName} is not ours`;
