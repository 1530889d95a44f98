import type { CallInFlight, Strike } from '@drover/cloud-sandbox';
import { expect, it } from 'vitest';
import { expectRolled, rollAll, rolledWorlds } from '../../support/rolls/strict-rolls.ts';
import { shareOf } from '../share.ts';

type StrikeKind = 'kill-before' | 'kill-after' | 'hang-after';

/** Meets the nth call that the function `roll` makes from the begin of the roll on with a fault. Whether the roll made so many calls. */
async function liveWith(name: string, kind: StrikeKind, nth: number): Promise<boolean> {
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

/** Each call of a control plane, and every third of worlds with etcd, whose rolls take hundreds: a quarter of these in each case. */
const cases = (
  [
    ['two groups of a control plane', 'kill-before', 1],
    ['two groups of a control plane', 'kill-after', 1],
    ['two groups of a control plane', 'hang-after', 1],
    ['three members of etcd', 'kill-after', 3],
    ['three control planes with etcd beside', 'kill-after', 3],
    ['all roles', 'kill-after', 3],
  ] as const
).flatMap(([name, kind, every]) =>
  [0, 1, 2, 3].map((quarter) => ({ name, kind, first: 1 + quarter * every, step: 4 * every })),
);

it.each(shareOf('ROLL_STRIKES', cases))(
  'a roll of $name replaces all, one at a time, whichever call of the function meets $kind: from $first on, each $step',
  { timeout: 1_800_000 },
  async ({ name, kind, first, step }) => {
    let nth = first;
    while (await liveWith(name, kind, nth)) nth += step;
    expect(nth).toBeGreaterThan(80);
  },
);
