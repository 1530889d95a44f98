import { describe, expect, it } from 'vitest';
import { describeViolation } from '../../support/lifetimes/describe-violation.ts';
import { liveLifetime } from '../../support/lifetimes/lifetime.ts';
import { shareOf } from '../share.ts';
import { plannedRolls } from './planned-rolls.ts';
import { plantedBugs } from './planted-bugs.ts';
import { findIn, howToGoOn, knownPlans, plansToSearch } from './search.ts';
import { readSearchSettings } from './settings.ts';

const settings = readSearchSettings(process.env);
/** Vitest would shorten `$name`, and `-t` would not find it. */
const bugs = shareOf('PLANTED_SHARE', plantedBugs).map((bug) => [bug.name, bug] as const);

describe('a bug that is planted on purpose', () => {
  it.each(bugs)('is found: %s', { timeout: settings.count * 45_000 + 180_000 }, async (_name, bug) => {
    const found = (await findIn(bug, knownPlans(bug))) ?? (await findIn(bug, plansToSearch(bug, settings)));
    expect(found, howToGoOn(bug, settings)).toBeDefined();
    const isKnown = found?.plan === bug.plan || bug.foundIn.includes(found?.plan.seed ?? 0);
    console.log(
      `${bug.name}: found in ${found?.plan === bug.plan ? 'its own lifetime' : `lifetime ${found?.plan.seed}`} by ${found?.rule}`,
    );
    if (!isKnown)
      console.warn(`what is known shows it no more: name ${found?.plan.seed} in foundIn of ${bug.name}`);
  });

  it.each(Object.entries(plannedRolls))(
    'is the only reason why a rule is broken in the lifetime %s',
    async (_name, plan) => {
      const { violation } = await liveLifetime(plan.seed, { plan });
      expect(violation && describeViolation(violation)).toBeUndefined();
    },
  );
});
