import { type PassSpan, silentMilliseconds, skewMilliseconds } from '../facts/pass-spans.ts';
import { addWait, type Waits } from './waits.ts';

/**
 * - `drained`: all pods left in time;
 * - `failed`: the deadline came first;
 * - `no-drain`: there was no Node to drain, or it was drained in an earlier wait;
 * - `gone`: the instance was gone before a pass could log how its leave ended;
 * - `leaving`: it has not ended;
 * - `lost`: it has not ended in the logs, and its last pass is old.
 */
export type LeaveResult = 'drained' | 'failed' | 'no-drain' | 'gone' | 'leaving' | 'lost';

/** One leave of one instance. Times are epoch milliseconds. */
export interface Leave {
  readonly instanceId: string;
  readonly group: string | undefined;
  readonly node: string | undefined;
  /** When it began, or its first line. */
  readonly from: number;
  readonly end: number | undefined;
  readonly result: LeaveResult;
  readonly drainSeconds: number | undefined;
  /** How the wait ended, as in the line of the pass. */
  readonly release: string | undefined;
  readonly podsForced: number;
  readonly waits: Waits;
  /** Seconds for which each budget held pods of the node. If two budgets hold at the same time, each has all of it. */
  readonly budgets: Waits;
}

interface Draft extends Omit<Leave, 'result'> {
  readonly hasFailed: boolean;
  /** The times of its first and its last line. */
  readonly firstAt: number;
  readonly lastAt: number;
}

/**
 * The leaves of one instance, from the spans of its passes. An instance may leave twice, for example with a new root volume first. A pass that was
 * killed after it had ended the leave is repeated and logs another end: that is the same leave. A leave that was called off is not counted. Pure.
 *
 * @param time of the report, in epoch milliseconds.
 */
export function leavesOf(
  instanceId: string,
  spans: readonly PassSpan[],
  { since, until }: { readonly since: number; readonly until: number },
): readonly Leave[] {
  const ended: Draft[] = [];
  let open: Draft | undefined;
  for (const [index, span] of spans.entries()) {
    const { fact } = span;
    const last = ended.at(-1);
    if (isEnd(span)) {
      if (last && isRepeat(span, last)) ended[ended.length - 1] = repeated(last, span);
      else if (open || fact.release !== gone || !fact.isEcho)
        ended.push(after(last, endedBy(open ?? begun(instanceId, span), span)));
      open = undefined;
      continue;
    }
    if (fact.outcome === 'done') {
      open = undefined;
      continue;
    }
    // Its hook is completed, and it comes back to the same Node.
    if (!open && fact.waitsFor === 'reboot') continue;
    if (!open && last && last.release !== 'handed-back' && isSoonAfter(span, last)) continue;
    // Auto Scaling terminates it through its hooks: the same leave goes on.
    if (!open && last?.release === 'handed-back') open = { ...last, ...ended.pop(), end: undefined };
    open = waited(open ?? begun(instanceId, span), span, spans[index + 1]?.from ?? until);
  }
  return [...ended, ...(open ? [open] : [])].map((draft) => toLeave(withFirstPass(draft, since), until));
}

/** How a leave ended, if a pass finds only that the instance is gone. */
const gone = 'gone';

/** A message of the leave before it may be among those of this one: it begins with its first line then. */
const after = (last: Draft | undefined, draft: Draft): Draft =>
  draft.from < (last?.end ?? -Infinity) ? { ...draft, from: draft.firstAt } : draft;

/** Drover 0.1 does not say how a leave ended: its last line names the group, or a drain. */
const isEnd = ({ fact }: PassSpan): boolean =>
  fact.release !== undefined ||
  fact.drainFailed ||
  (fact.outcome === 'done' && (fact.drainSeconds !== undefined || fact.group !== undefined));

/** A line without a time can only be a repetition if it comes soon. */
const repeatedWithinSeconds = 3600;

/** Whether the line repeats the end of the leave before it: what it describes began before that end. */
function isRepeat({ from, fact }: PassSpan, { end = 0, release }: Draft): boolean {
  // An instance that is gone cannot leave again.
  if (release === 'handed-back' || fact.release === gone) return true;
  const seconds = fact.drainSeconds ?? fact.leaveSeconds ?? repeatedWithinSeconds;
  return from - seconds * 1000 < end;
}

const isSoonAfter = ({ from }: PassSpan, { end = 0 }: Draft): boolean => from - end < skewMilliseconds;

const begun = (instanceId: string, { from, fact }: PassSpan): Draft => ({
  instanceId,
  group: fact.group,
  node: fact.node,
  from: from - (fact.leaveSeconds ?? fact.drainSeconds ?? 0) * 1000,
  end: undefined,
  drainSeconds: undefined,
  release: undefined,
  podsForced: 0,
  waits: {},
  budgets: {},
  hasFailed: false,
  firstAt: from,
  lastAt: from,
});

function waited(draft: Draft, span: PassSpan, next: number): Draft {
  const { fact, from, to } = span;
  // What is longer than this is not known: passes may have been lost, or Drover was down.
  const known = next - to <= silentMilliseconds ? next : to;
  const seconds = (known - from) / 1000;
  return {
    ...draft,
    group: draft.group ?? fact.group,
    node: draft.node ?? fact.node,
    podsForced: draft.podsForced + fact.podsForced,
    waits: addWait(
      known < next ? addWait(draft.waits, 'unknown', (next - known) / 1000) : draft.waits,
      fact.waitsFor,
      seconds,
    ),
    budgets: budgetsIn(span).reduce((waits, budget) => addWait(waits, budget, seconds), draft.budgets),
    lastAt: to,
  };
}

/** The line of Drover 0.1 names no budget, and the API server none if several hold one pod. */
const notNamed = '(not named)';

const budgetsIn = ({ fact: { waitsFor, budgets } }: PassSpan): readonly string[] =>
  waitsFor === 'budget' && budgets.length === 0 ? [notNamed] : budgets;

function endedBy(draft: Draft, { fact, to }: PassSpan): Draft {
  const began = to - (fact.leaveSeconds ?? 0) * 1000;
  return {
    ...draft,
    from: fact.leaveSeconds === undefined ? draft.from : Math.min(draft.from, began),
    group: fact.group ?? draft.group,
    node: fact.node ?? draft.node,
    end: to,
    drainSeconds: draft.drainSeconds ?? fact.drainSeconds,
    release: fact.release ?? (fact.drainFailed ? 'abandoned' : undefined),
    podsForced: draft.podsForced + fact.podsForced,
    hasFailed: draft.hasFailed || fact.drainFailed,
    lastAt: to,
  };
}

/** The first end is the time of the leave, unless it was only handed back to Auto Scaling, which began another wait. */
function repeated(draft: Draft, span: PassSpan): Draft {
  const { end, release } = draft;
  const again = endedBy(draft, { ...span, fact: { ...span.fact, podsForced: 0 } });
  return release === 'handed-back' ? again : { ...again, from: draft.from, end, release };
}

/** What a leave waited for until its first pass had written its line. If it began before the report, lines of earlier passes are not known. */
function withFirstPass(draft: Draft, since: number): Draft {
  const seconds = (draft.firstAt - draft.from) / 1000;
  if (draft.from < since || seconds < 1) return draft;
  return { ...draft, waits: addWait(draft.waits, 'first-pass', seconds) };
}

function toLeave(known: Draft, until: number): Leave {
  const { hasFailed, firstAt: _, lastAt, ...draft } = known;
  const isLost = until - lastAt > silentMilliseconds;
  if (draft.end === undefined) return { ...draft, result: isLost ? 'lost' : 'leaving' };
  if (hasFailed) return { ...draft, result: 'failed' };
  if (draft.drainSeconds !== undefined) return { ...draft, result: 'drained' };
  return { ...draft, result: draft.release === gone ? 'gone' : 'no-drain' };
}
