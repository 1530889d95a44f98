import { isRecent } from '../base/is-recent.ts';
import type { Problem } from '../problems/problem.ts';
import type { RememberedProblem } from './remembered.ts';

const hour = 3600;
const day = 24 * hour;

/** A problem with what makes it another one than the others: never its sentence, in which ages and counts change. */
export interface KeyedProblem {
  readonly key: string;
  readonly ordinal: number;
  readonly problem: Problem;
}

export const keyOf = ({
  kind,
  subject,
  ordinal,
}: Pick<RememberedProblem, 'kind' | 'subject' | 'ordinal'>): string =>
  JSON.stringify([kind, subject, ordinal]);

/** The problems with their keys, in their order. Pure. */
export function withKeys(problems: readonly Problem[]): readonly KeyedProblem[] {
  const counts = new Map<string, number>();
  return problems.map((problem) => {
    const { kind, subject } = problem;
    const one = keyOf({ kind, subject, ordinal: 1 });
    const ordinal = (counts.get(one) ?? 0) + 1;
    counts.set(one, ordinal);
    return { key: keyOf({ kind, subject, ordinal }), ordinal, problem };
  });
}

interface Followed {
  readonly now: number;
  /** Something could not be read: a problem that is not seen may still exist. */
  readonly isPartial: boolean;
}

/**
 * What is remembered after a check, with the new problems at the end. A problem that is not seen ends only after a time, and longer if something
 * could not be read. Pure.
 */
export function followProblems(
  remembered: readonly RememberedProblem[],
  seen: readonly KeyedProblem[],
  { now, isPartial }: Followed,
): readonly RememberedProblem[] {
  const bySeenKey = new Map(seen.map((one) => [one.key, one]));
  const known = new Set(remembered.map(keyOf));
  return [
    ...remembered.flatMap((one) => {
      const found = bySeenKey.get(keyOf(one));
      const next = found ? seenAgain(one, found.problem) : notSeen(one, { now, isPartial });
      return next ?? [];
    }),
    ...seen.filter(({ key }) => !known.has(key)).map(asBegun),
  ];
}

/** A problem as it is remembered when it is first seen. Pure. */
export const asBegun = ({
  ordinal,
  problem: { kind, subject, severity },
}: KeyedProblem): RememberedProblem => ({ kind, subject, ordinal, severity, begins: 1 });

function seenAgain(
  { awaySince: _awaySince, endedAt, ...one }: RememberedProblem,
  { severity }: Problem,
): RememberedProblem {
  return { ...one, severity, begins: one.begins + (endedAt === undefined ? 0 : 1) };
}

/** Undefined if it is forgotten. */
function notSeen(one: RememberedProblem, { now, isPartial }: Followed): RememberedProblem | undefined {
  if (one.endedAt !== undefined) {
    // The end is kept until a digest has had it.
    const isForgotten = one.toldAs === undefined && !isRecent(one.endedAt, { now, seconds: day });
    return isForgotten ? undefined : one;
  }
  const awaySince = Math.min(one.awaySince ?? now, now);
  const seconds = isPartial ? day : secondsUntilEnd(one);
  const isOver = now - awaySince >= seconds * 1000;
  return { ...one, awaySince, ...(isOver && { endedAt: now }) };
}

/** How long it must not be seen: twice as long for each time that it has come back after its end, so that it is not reported each time. Pure. */
const secondsUntilEnd = ({ begins }: Pick<RememberedProblem, 'begins'>): number =>
  Math.min(day, hour * 2 ** (begins - 1));
