import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join, resolve, sep } from 'node:path';
import type { Answer } from '@drover/cloud-sandbox/real/account/answers.ts';
import {
  fixtureFile,
  fixturesOf,
  leaksIn,
  mergeFixture,
  readFixture,
  renderFixture,
} from '@drover/cloud-sandbox/real/account/fixtures.ts';
import * as z from 'zod/mini';

/** Where the answers of AWS are, which a fast test compares with the sandbox. */
export const fixturesOfAws = 'packages/cloud-sandbox/fixtures/aws';

/** Whether a folder is, or is in, the one for answers of AWS: those of another account have no place there. */
export const isForAws = (folder: string): boolean => {
  const home = resolve(fixturesOfAws);
  return resolve(folder) === home || resolve(folder).startsWith(`${home}${sep}`);
};

/** The answers would show something of the account. Nothing was written. */
export class LeakError extends Error {
  override readonly name = 'LeakError';
}

const reportSchema = z.object({
  testResults: z.array(
    z.object({ assertionResults: z.array(z.object({ title: z.string(), status: z.string() })) }),
  ),
});

/** The sentences of the cases that have passed, by the report of a suite; none if it was ended before it wrote one. */
export function passedIn(report: string): readonly string[] {
  if (!existsSync(report)) return [];
  const { testResults } = reportSchema.parse(JSON.parse(readFileSync(report, 'utf8')));
  return testResults
    .flatMap(({ assertionResults }) => assertionResults)
    .filter(({ status }) => status === 'passed')
    .map(({ title }) => title);
}

/**
 * Writes the answers of the cases that have passed into a folder, a file for each contract. What a file has of other cases stays.
 *
 * @returns the files that have changed
 * @throws LeakError if an answer has the form of something that belongs to an account
 */
export function writeFixtures(
  folder: string,
  answers: readonly Answer[],
  passed: readonly string[],
): readonly string[] {
  const whole = new Set(passed);
  const written = fixturesOf(answers, (sentence) => whole.has(sentence)).map((fixture) => {
    const file = join(folder, fixtureFile(fixture.area));
    const before = existsSync(file) ? readFileSync(file, 'utf8') : undefined;
    const text = renderFixture(mergeFixture(before === undefined ? undefined : readFixture(before), fixture));
    return { file, before, text };
  });
  for (const { file, text } of written) {
    const leaks = leaksIn(text);
    if (leaks.length > 0)
      throw new LeakError(
        `${file} would contain ${leaks[0]}, and ${leaks.length - 1} more: fix keptFields in packages/cloud-sandbox/real/account/answers.ts`,
      );
  }
  const changed = written.filter(({ before, text }) => before !== text);
  if (changed.length > 0) mkdirSync(folder, { recursive: true });
  for (const { file, text } of changed) writeFileSync(file, text);
  return changed.map(({ file }) => file);
}
