import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { shareOf } from '../share.ts';
import { type CopyOfTheSource, copyTheSource } from './copy-of-the-source.ts';
import { plantedBugs } from './planted-bugs.ts';
import { revertedFixes } from './reverted-fixes.ts';

const bugs = shareOf('PLANTED_SHARE', [...plantedBugs, ...revertedFixes]);
/** Other suites of the same run have run these files. Some of them show that tests fail in the copy for no other reason; a whole run shows it of each. */
const isWhole = process.env['PLANTED_SHARE'] === undefined;
const sound = [...new Set(bugs.flatMap(({ foundBy }) => foundBy))].slice(0, isWhole ? Infinity : 3);
let copy: CopyOfTheSource;
beforeAll(async () => {
  copy = await copyTheSource();
});
afterAll(async () => await copy[Symbol.asyncDispose]());

describe('a bug that is planted in the source', () => {
  it('is the only reason why tests of the copy fail', { timeout: 1_500_000 }, async () => {
    const { failed, passed, output } = await copy.runTests(sound);
    expect(failed, output).toBe(0);
    expect(passed).toBeGreaterThan(0);
  });

  it.each(bugs.map((bug) => [bug.name, bug] as const))(
    'is found: %s',
    { timeout: 900_000 },
    async (_name, bug) => {
      await copy.plant(bug);
      try {
        const { failed, output } = await copy.runTests([bug.foundBy], { only: bug.test, untilFailure: true });
        expect(failed, `no test of ${bug.foundBy} finds it:\n${output}`).toBeGreaterThan(0);
      } finally {
        await copy.heal(bug);
      }
    },
  );
});
