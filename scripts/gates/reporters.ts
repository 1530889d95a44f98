import type { Reporter } from 'vitest/node';

type Named = string | [string, { readonly outputFile: string }];

const fileOf = (name: string, outputFile: string | undefined): Named[] =>
  outputFile ? [[name, { outputFile }]] : [];

/**
 * The reporters of vitest: one for people, one that writes the file that .ci/run counts, and one that keeps the coverage of a run until it
 * is merged with that of others.
 */
export const reporters = (...more: readonly Reporter[]): (Named | Reporter)[] => [
  'default',
  ...fileOf('json', process.env.DROVER_TEST_REPORT),
  ...fileOf('blob', process.env.DROVER_COVERAGE),
  ...more,
];
