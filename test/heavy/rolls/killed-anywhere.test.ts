import type { CallInFlight, Strike } from '@drover/cloud-sandbox';
import { expect, it } from 'vitest';
import { expectRolled, rollAll, rolledWorlds } from '../../support/rolls/strict-rolls.ts';
import { shareOf } from '../share.ts';

const kinds = ['kill-before', 'kill-after', 'fail-after', 'hang-after'] as const;

/** Meets the nth call that the function `roll` makes from the begin of the roll on with a fault. Whether the roll made so many calls. */
async function liveWith(name: string, kind: (typeof kinds)[number], nth: number): Promise<boolean> {
  let isBegun = false;
  let calls = 0;
  const strike = ({ caller }: CallInFlight): Strike | undefined => {
    if (!isBegun || caller !== 'roll') return undefined;
    calls += 1;
    return calls === nth ? { kind } : undefined;
  };
  const rolled = await rolledWorlds[name]?.({ strike });
  if (rolled === undefined) throw new Error(`no world ${name}`);
  rollAll(rolled);
  isBegun = true;
  await expectRolled(rolled, `${name}, after ${kind} of call ${nth}`);
  return calls >= nth;
}

const cases = Object.keys(rolledWorlds).flatMap((name) => kinds.map((kind) => [name, kind] as const));

it.each(shareOf('ROLL_STRIKES', cases))(
  'a roll of %s replaces all, one at a time, whichever call of the function meets %s',
  { timeout: 1_800_000 },
  async (name, kind) => {
    let nth = 1;
    while (await liveWith(name, kind, nth)) nth += 1;
    expect(nth).toBeGreaterThan(80);
  },
);
