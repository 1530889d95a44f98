import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { eksServer, eksWorld, kubeadmWorld, stateOf } from '../cli/adopt/worlds.ts';
import { createKeyboard } from '../cli/keyboard.ts';
import { operatorOf } from '../cli/operator.ts';
import { chooser, createInterleaving } from '../support/interleaving.ts';

const choices = fc.array(fc.nat(1000), { minLength: 8, maxLength: 40 });

const worlds = [
  ['kubeadm', kubeadmWorld, {}],
  ['EKS with access entries', () => eksWorld('API'), { server: eksServer }],
  ['EKS with aws-auth', () => eksWorld('CONFIG_MAP'), { server: eksServer }],
] as const;

describe.each(worlds)('two drover adopt at once in a cluster of %s', (_, make, machine) => {
  it('end with the groups adopted, in every order of their calls', async () => {
    const alone = await make();
    expect((await operatorOf(alone, machine)('adopt workers --yes')).code).toBe(0);
    await fc.assert(
      fc.asyncProperty(choices, async (picks) => {
        const world = await make();
        const { machineOf, settle } = createInterleaving(world, { choose: chooser(picks) });
        const runs = await settle(
          ['one', 'other'].map((name) =>
            operatorOf(world, { ...machine, ...machineOf(name) })('adopt workers --yes'),
          ),
        );
        expect(runs.map(({ code, err }) => [code, err])).toEqual([
          [0, ''],
          [0, ''],
        ]);
        expect(stateOf(world)).toEqual(stateOf(alone));
        expect((await operatorOf(world, machine)('adopt workers --check')).code).toBe(0);
      }),
      { numRuns: 3 },
    );
  }, 120_000);

  it('ends at a safe point with Ctrl-C, says what was done, and goes on from there', async () => {
    await fc.assert(
      fc.asyncProperty(fc.nat(60), async (at) => {
        const world = await make();
        const { onInterrupt, pressCtrlC, isHeld } = createKeyboard();
        let calls = 0;
        const press = (): void => {
          if (!isHeld()) return;
          calls += 1;
          if (calls === 1 + (at % 8)) pressCtrlC();
        };
        const first = await operatorOf(world, { ...machine, onInterrupt, onAwsCall: press })(
          'adopt workers --yes',
        );
        if (calls >= 1 + (at % 8)) {
          expect([first.code, first.err]).toEqual([
            130,
            expect.stringMatching(
              /interrupted: (?:everything was done|\d+ of \d+ steps? (?:was|were) done; run the command again to continue)\n$/,
            ),
          ]);
        } else expect(first.code).toBe(0);
        expect((await operatorOf(world, machine)('adopt workers --yes')).code).toBe(0);
        expect((await operatorOf(world, machine)('adopt workers --check')).code).toBe(0);
      }),
      { numRuns: 3 },
    );
  }, 120_000);
});
