import { firstLabel } from '../table/short-names.ts';

/** How many letters must be inserted, deleted or replaced to make one text of the other (Levenshtein). */
export function distance(one: string, other: string): number {
  const letters = other.split('');
  let row = [0, ...letters.map((_, place) => place + 1)];
  for (const [index, letter] of one.split('').entries()) {
    const next = [index + 1];
    for (const [place, otherLetter] of letters.entries())
      next.push(
        Math.min(
          (row[place] ?? 0) + (letter === otherLetter ? 0 : 1),
          (row[place + 1] ?? 0) + 1,
          (next[place] ?? 0) + 1,
        ),
      );
    row = next;
  }
  return row.at(-1) ?? 0;
}

const most = 3;

/** The names that a mistyped one may mean, the nearest first: one letter in five may differ, and one always. Pure. */
export function nearNames(typed: string, names: readonly string[]): readonly string[] {
  const label = firstLabel(typed);
  const bound = Math.max(1, Math.floor(label.length / 5));
  return names
    .map((name) => ({ name, far: distance(label, firstLabel(name)) }))
    .filter(({ far }) => far <= bound)
    .toSorted((one, other) => one.far - other.far || one.name.localeCompare(other.name))
    .slice(0, most)
    .map(({ name }) => name);
}
