import { median } from '../figure.ts';

/** What must never happen is not averaged away. */
const worstOf: ReadonlySet<string> = new Set(['completedWithPodsLeft', 'lost']);

/** Merges reports with the same figures: the median of each figure, but the worst value of a figure that must be zero. */
export const mergeRounds = <Report extends object>(rounds: readonly Report[]): Report =>
  Object.fromEntries(
    Object.keys(rounds[0] ?? {}).map((name) => [
      name,
      mergeFigure(
        name,
        rounds.map((round) => Reflect.get(round, name) as unknown),
      ),
    ]),
  ) as Report;

function mergeFigure(name: string, found: readonly unknown[]): unknown {
  const numbers = found.filter((figure) => typeof figure === 'number');
  if (numbers.length > 0) return worstOf.has(name) ? Math.max(...numbers) : median(numbers);
  return mergeRounds(found.filter((figure) => typeof figure === 'object' && figure !== null));
}
