/** What vitest writes: for people, and for .ci/run, which counts, into the file that it names. */
export function reporters(): (string | [string, { readonly outputFile: string }])[] {
  const outputFile = process.env.DROVER_TEST_REPORT;
  return outputFile ? ['default', ['json', { outputFile }]] : ['default'];
}
