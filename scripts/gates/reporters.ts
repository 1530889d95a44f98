import type { Reporter } from 'vitest/node';

type Named = string | [string, { readonly outputFile: string }];

/** What vitest writes: for people, and for .ci/run, which counts, into the file that it names. */
export function reporters(...more: readonly Reporter[]): (Named | Reporter)[] {
  const outputFile = process.env.DROVER_TEST_REPORT;
  return ['default', ...(outputFile ? [['json', { outputFile }] satisfies Named] : []), ...more];
}
