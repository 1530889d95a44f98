import { describe, expect, it } from 'vitest';
import { liveLifetime } from '../../support/lifetimes/lifetime.ts';
import { plantedBugs } from './planted-bugs.ts';

/** So many lifetimes must be enough for each of them. */
const seeds = 120;

async function find(
  bug: (typeof plantedBugs)[number],
): Promise<{ readonly seed: number; readonly rule: string } | undefined> {
  const others = Array.from({ length: seeds }, (_, index) => index + 1);
  for (const seed of [bug.foundIn, ...others]) {
    const { violation } = await liveLifetime(seed, { sabotage: bug.sabotage });
    if (violation && bug.foundBy.includes(violation.rule)) return { seed, rule: violation.rule };
  }
  return undefined;
}

describe('a bug that is planted on purpose', () => {
  it.each(plantedBugs)('is found: $name', { timeout: 900_000 }, async (bug) => {
    const found = await find(bug);
    expect(found, `nothing is found in ${seeds} lifetimes`).toBeDefined();
    console.log(`${bug.name}: found in lifetime ${found?.seed} by ${found?.rule}`);
  });
});
