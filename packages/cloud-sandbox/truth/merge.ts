import type { FileFindings, Finding } from './claim.ts';

const keyOf = ({ area, behaviour, world }: Finding): string => JSON.stringify([area, world, behaviour]);

/**
 * What is known after a run. New findings replace known ones. If all of a test file ran, rows that it no longer has are removed.
 * Findings of worlds that are not installed here stay as they were.
 */
export function merge(known: readonly Finding[], runs: readonly FileFindings[]): readonly Finding[] {
  const whole = new Set(runs.filter(({ isWhole }) => isWhole).map(({ file }) => file));
  const kept = known.filter(({ file }) => !whole.has(file));
  const found = runs.flatMap(({ findings }) => findings);
  const all = new Map([...kept, ...found].map((one) => [keyOf(one), one]));
  return [...all].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, one]) => one);
}
