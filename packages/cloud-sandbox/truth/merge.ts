import type { FileFindings, Finding } from './claim.ts';

const keyOf = ({ area, behaviour, world }: Finding): string => JSON.stringify([area, world, behaviour]);

/**
 * What is known after a run. What it found goes over what was known; a row that a file of tests no longer has is forgotten where
 * all of the file ran; what could not run here, because it is not installed, stays as it was.
 */
export function merge(known: readonly Finding[], runs: readonly FileFindings[]): readonly Finding[] {
  const whole = new Set(runs.filter(({ isWhole }) => isWhole).map(({ file }) => file));
  const kept = known.filter(({ file }) => !whole.has(file));
  const found = runs.flatMap(({ findings }) => findings);
  const all = new Map([...kept, ...found].map((one) => [keyOf(one), one]));
  return [...all].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, one]) => one);
}
