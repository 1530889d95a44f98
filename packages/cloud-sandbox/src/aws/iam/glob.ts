import { wildcard } from '../wildcard.ts';

const compiled = new Map<string, (value: string) => boolean>();

/** Whether a text fits a pattern with `*` and `?`. Patterns are policies' own and few: each is compiled once. */
export function glob(pattern: string, text: string): boolean {
  const known = compiled.get(pattern) ?? wildcard(pattern);
  compiled.set(pattern, known);
  return known(text);
}
