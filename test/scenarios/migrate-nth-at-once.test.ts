import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { handedOver, nthWorld } from '../cli/migrate/nth/world.ts';
import { operatorOf } from '../cli/operator.ts';
import { chooser, createInterleaving } from '../support/interleaving.ts';

const choices = fc.array(fc.nat(1000), { minLength: 8, maxLength: 40 });

describe('two drover migrate nth at once', () => {
  it('end with the group handed over, and its record is what the group had, in every order of their calls', async () => {
    const alone = await nthWorld();
    const before = handedOver(alone);
    expect((await operatorOf(alone)('migrate nth --apply --yes')).code).toBe(0);
    await fc.assert(
      fc.asyncProperty(choices, async (picks) => {
        const world = await nthWorld();
        const { machineOf, settle } = createInterleaving(world, { choose: chooser(picks) });
        const runs = await settle(
          ['one', 'other'].map((name) => operatorOf(world, machineOf(name))('migrate nth --apply --yes')),
        );
        expect(runs.map(({ code, err }) => [code, err])).toEqual([
          [0, ''],
          [0, ''],
        ]);
        expect(handedOver(world)).toEqual(handedOver(alone));
        expect((await operatorOf(world)('migrate nth --back --apply --yes')).code).toBe(0);
        expect(handedOver(world)).toEqual(before);
      }),
      { numRuns: 3 },
    );
  }, 120_000);

  it('on the way back end with the group as it was, in every order of their calls', async () => {
    await fc.assert(
      fc.asyncProperty(choices, async (picks) => {
        const world = await nthWorld();
        const before = handedOver(world);
        expect((await operatorOf(world)('migrate nth --apply --yes')).code).toBe(0);
        const { machineOf, settle } = createInterleaving(world, { choose: chooser(picks) });
        const runs = await settle(
          ['one', 'other'].map((name) =>
            operatorOf(world, machineOf(name))('migrate nth --back --apply --yes'),
          ),
        );
        expect(runs.map(({ code, err }) => [code, err])).toEqual([
          [0, ''],
          [0, ''],
        ]);
        expect(handedOver(world)).toEqual(before);
      }),
      { numRuns: 3 },
    );
  }, 120_000);
});
