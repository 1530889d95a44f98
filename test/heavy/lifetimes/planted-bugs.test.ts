import { describe, expect, it } from 'vitest';
import { shareOf } from '../share.ts';
import { plantedBugs } from './planted-bugs.ts';
import { findIn, howToGoOn, seedsToSearch } from './search.ts';
import { readSearchSettings } from './settings.ts';

const settings = readSearchSettings(process.env);
/** Vitest would shorten `$name`, and `-t` would not find it. */
const bugs = shareOf('PLANTED_SHARE', plantedBugs).map((bug) => [bug.name, bug] as const);

describe('a bug that is planted on purpose', () => {
  it.each(bugs)('is found: %s', { timeout: settings.count * 45_000 + 180_000 }, async (_name, bug) => {
    const found = (await findIn(bug, bug.foundIn)) ?? (await findIn(bug, seedsToSearch(bug, settings)));
    expect(found, howToGoOn(bug, settings)).toBeDefined();
    console.log(`${bug.name}: found in lifetime ${found?.seed} by ${found?.rule}`);
    if (found && !bug.foundIn.includes(found.seed))
      console.warn(
        `lifetimes ${bug.foundIn.join(', ')} do not show it any more: name ${found.seed} in foundIn`,
      );
  });
});
