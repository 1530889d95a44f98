import type { Reporter } from 'vitest/node';

type Named = string | [string, { readonly outputFile: string }];

/** The reporters of vitest: one for people, and one that writes the file that .ci/run counts. */
export function reporters(...more: readonly Reporter[]): (Named | Reporter)[] {
  const outputFile = process.env.DROVER_TEST_REPORT;
  return ['default', ...(outputFile ? [['json', { outputFile }] satisfies Named] : []), ...more];
}
