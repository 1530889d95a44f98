import type { FileFindings, Finding } from './claim.ts';

const keyOf = ({ area, behaviour, world }: Finding): string => JSON.stringify([area, world, behaviour]);
const columnOf = ({ area, world }: Finding): string => JSON.stringify([area, world]);

/**
 * What is known after a run. What it found goes over what was known; a row that it no longer has is forgotten where the whole
 * column ran; what could not run here, because it is not installed, stays as it was.
 */
export function merge(known: readonly Finding[], runs: readonly FileFindings[]): readonly Finding[] {
  const found = runs.flatMap(({ findings }) => findings);
  const whole = new Set(
    runs.filter(({ isWhole }) => isWhole).flatMap(({ findings }) => findings.map(columnOf)),
  );
  const broken = new Set(
    runs.filter(({ isWhole }) => !isWhole).flatMap(({ findings }) => findings.map(columnOf)),
  );
  const kept = known.filter((one) => !whole.has(columnOf(one)) || broken.has(columnOf(one)));
  const all = new Map([...kept, ...found].map((one) => [keyOf(one), one]));
  return [...all].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, one]) => one);
}
