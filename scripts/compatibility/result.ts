import * as z from 'zod/mini';

/** How the tests of one file ended with one version of a program. */
export const resultSchema = z.object({
  file: z.string(),
  /** `3.6.16`. */
  version: z.string().check(z.regex(/^\d+\.\d+\.\d+$/)),
  /** `2026-11-28`. */
  date: z.string().check(z.regex(/^\d{4}-\d{2}-\d{2}$/)),
  passed: z.int().check(z.nonnegative()),
  failed: z.int().check(z.nonnegative()),
});
export type Result = z.infer<typeof resultSchema>;

const keyOf = ({ file, version }: Result): string => `${file} ${version}`;

/** What is known after a run: a new result of the same file and version replaces the known one. */
export function mergeResults(known: readonly Result[], found: readonly Result[]): readonly Result[] {
  const all = new Map([...known, ...found].map((one) => [keyOf(one), one]));
  return [...all].toSorted(([a], [b]) => (a < b ? -1 : 1)).map(([, one]) => one);
}
