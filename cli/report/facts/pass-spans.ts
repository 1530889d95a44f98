import type { PassFact } from './pass-fact.ts';

/** Passes over one instance that follow each other and say the same. */
export interface PassSpan {
  /** The times of the first and the last of them, in epoch milliseconds. */
  readonly from: number;
  readonly to: number;
  /** What each of them says. */
  readonly fact: PassFact;
}

/** Passes come every 20 s. After such a gap it is not known what the instance waited for. */
export const silentMilliseconds = 600_000;

/**
 * A pass this soon after the end of a leave or a join belongs to it: environments of a function have clocks of their own, and a pass that began before the
 * end was known may log after it.
 */
export const skewMilliseconds = 60_000;

/**
 * Gathers passes, so that a report of weeks fits into memory: a drain that a budget holds for a day is thousands of lines, and one span. They
 * may come in any order. A line that CloudWatch Logs returns twice counts once: passes over one instance never run at the same time.
 */
export function gatherPasses() {
  const spans = new Map<string, PassSpan[]>();
  return {
    add: (fact: PassFact): void => {
      const known = spans.get(fact.instanceId) ?? [];
      spans.set(fact.instanceId, known);
      const last = known.at(-1);
      if (last && joins(last, fact))
        known[known.length - 1] = {
          ...last,
          from: Math.min(last.from, fact.at),
          to: Math.max(last.to, fact.at),
        };
      else known.push({ from: fact.at, to: fact.at, fact });
    },
    /** By instance, each from the oldest to the newest. */
    spans: (): ReadonlyMap<string, readonly PassSpan[]> =>
      new Map([...spans].map(([instanceId, of]) => [instanceId, withoutRepeats(of)])),
  };
}

const joins = ({ from, to, fact }: PassSpan, other: PassFact): boolean =>
  isWait(fact) &&
  isWait(other) &&
  keyOf(fact) === keyOf(other) &&
  other.at >= from - silentMilliseconds &&
  other.at <= to + silentMilliseconds;

/** A pass that only waits: it has nothing to count. */
const isWait = ({ outcome, podsForced, release }: PassFact): boolean =>
  outcome === 'again' && podsForced === 0 && release === undefined;

const keyOf = ({ waitsFor, group, node, budgets }: PassFact): string =>
  JSON.stringify([waitsFor, group, node, budgets]);

function withoutRepeats(spans: readonly PassSpan[]): readonly PassSpan[] {
  const sorted = spans.toSorted((one, other) => one.from - other.from || one.to - other.to);
  const seen = new Set<string>();
  return sorted.filter(({ fact }) => {
    if (isWait(fact)) return true;
    const line = JSON.stringify(fact);
    const isNew = !seen.has(line);
    seen.add(line);
    return isNew;
  });
}
