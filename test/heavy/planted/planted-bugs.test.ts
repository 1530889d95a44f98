import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { shareOf } from '../share.ts';
import { type CopyOfTheSource, copyTheSource } from './copy-of-the-source.ts';
import { plantedBugs } from './planted-bugs.ts';
import { revertedFixes } from './reverted-fixes.ts';

const bugs = shareOf('PLANTED_SHARE', [...plantedBugs, ...revertedFixes]);
let copy: CopyOfTheSource;
beforeAll(async () => {
  copy = await copyTheSource();
});
afterAll(async () => await copy[Symbol.asyncDispose]());

describe('a bug that is planted in the source', () => {
  it('is the only reason why tests of the copy fail', { timeout: 1_500_000 }, async () => {
    const { failed, passed, output } = await copy.runTests([
      ...new Set(bugs.flatMap(({ foundBy }) => foundBy)),
    ]);
    expect(failed, output).toBe(0);
    expect(passed).toBeGreaterThan(0);
  });

  it.each(bugs)('is found: $name', { timeout: 900_000 }, async (bug) => {
    await copy.plant(bug);
    try {
      const { failed, output } = await copy.runTests([bug.foundBy]);
      expect(failed, `no test of ${bug.foundBy} finds it:\n${output}`).toBeGreaterThan(0);
    } finally {
      await copy.heal(bug);
    }
  });
});
