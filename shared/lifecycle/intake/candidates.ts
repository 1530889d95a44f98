import type { EventMeaning } from '../events/meaning.ts';
import type { LeavingNotice } from '../notice.ts';
import type { LeftAlone } from './report.ts';
import type { WaitsTold } from './waits-told.ts';

/** A notice that may concern us, as far as the event alone can tell. */
export interface Candidate {
  readonly key: string;
  readonly what: string;
  readonly notice: LeavingNotice;
}

export interface EventCandidates {
  readonly candidates: readonly Candidate[];
  readonly leftAlone: readonly LeftAlone[];
}

/** What intake knows before it asks anybody. */
export interface IntakeKnowledge {
  /** The hook whose actions are ours. */
  readonly leavingHookName: string;
  readonly waitsTold: WaitsTold;
}

/** What the event alone says: notices to look further into, or why it is left alone. */
export function candidatesOf(key: string, meaning: EventMeaning, known: IntakeKnowledge): EventCandidates {
  const { what } = meaning;
  if (meaning.kind === 'leaving') {
    const judged = meaning.notices.map((notice) => ({ notice, reason: reasonAgainst(notice, known) }));
    return {
      candidates: judged.flatMap(({ notice, reason }) =>
        reason === undefined ? [{ key, what, notice }] : [],
      ),
      leftAlone: judged.flatMap(({ reason }) => (reason === undefined ? [] : [{ what, reason }])),
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

/**
 * A lifecycle action of another hook than ours is another's to complete, and ours has an action of its own for the same
 * instance.
 */
function reasonAgainst(
  notice: LeavingNotice,
  { leavingHookName, waitsTold }: IntakeKnowledge,
): string | undefined {
  const { hook, instanceId } = notice;
  if (hook !== undefined && hook.lifecycleHookName !== leavingHookName)
    return `the hook ${hook.lifecycleHookName} is not ours`;
  if (waitsTold.knowsEnd(notice))
    return `the passes over the wait of ${instanceId} see by themselves that it ends`;
  return undefined;
}
