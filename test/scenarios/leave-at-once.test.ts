import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type DroverWorld, terminate } from '../../local/world/drover-world.ts';
import { leftOf, remains, runningWorld } from '../cli/leave/world.ts';
import { operatorOf } from '../cli/operator.ts';
import { chooser, createInterleaving, cutWaits } from '../support/interleaving.ts';

const left = leftOf('kubeadm');

const choices = fc.array(fc.nat(1000), { minLength: 8, maxLength: 40 });

describe('two drover leave of one group at once', () => {
  it('both end with nothing left, in every order of their calls', async () => {
    await fc.assert(
      fc.asyncProperty(choices, async (picks) => {
        const world = await runningWorld('kubeadm');
        const cut = cutWaits(world);
        const { machineOf, settle } = createInterleaving(world, { choose: chooser(picks) });
        const runs = ['one', 'other'].map((name) =>
          operatorOf(world, machineOf(name))('leave workers --yes'),
        );
        for (const { code, err, out } of await settle(runs)) {
          expect([code, err]).toEqual([0, '']);
          expect(out).toContain('workers has left: nothing of Drover is left on it\n');
        }
        expect(cut).toEqual([]);
        expect(remains(world)).toEqual(left);
      }),
      { numRuns: 8 },
    );
  }, 120_000);

  it('lets the other end what one has left that was killed at any call', async () => {
    await fc.assert(
      fc.asyncProperty(choices, fc.nat(60), async (picks, kill) => {
        const world = await runningWorld('kubeadm');
        let calls = 0;
        const { machineOf, settle } = createInterleaving(world, {
          choose: chooser(picks),
          onTurn: ({ run }) => {
            if (run !== 'killed') return;
            calls += 1;
            if (calls > kill) throw new Error('killed');
          },
        });
        const [, other] = await settle(
          ['killed', 'other'].map((name) => operatorOf(world, machineOf(name))('leave workers --yes')),
        );
        expect(other).toMatchObject({ code: 0, err: '' });
        // The one that was killed may have set the pause last.
        expect((await operatorOf(world)('leave workers --yes')).code).toBe(0);
        expect(remains(world)).toEqual(left);
      }),
      { numRuns: 8 },
    );
  }, 120_000);

  it('removes no hook under an instance that leaves meanwhile, and drains it with --wait', async () => {
    await fc.assert(
      fc.asyncProperty(choices, fc.nat(3), async (picks, pauses) => {
        const world = await runningWorld('eks');
        await operatorOf(world)('hold end sale --group workers --yes');
        const [leaving = ''] = await withIds(world);
        const cut = cutWaits(world);
        // AWS knows no condition for the removal of a hook: what begins to leave between the last read and the removal is cut off. So it begins
        // while both wait.
        const lastOf = new Map<string, string>();
        let passed = 0;
        const { machineOf, settle } = createInterleaving(world, {
          choose: chooser(picks),
          onTurn: ({ run, what }) => {
            lastOf.set(run, what);
            const bothWait = [...lastOf.values()].every((last) => last === 'pause');
            if (bothWait && passed++ === pauses) terminate(world, leaving);
          },
        });
        const leave = async (name: string) => {
          const result = await operatorOf(world, machineOf(name))('leave workers --yes --wait 2h');
          lastOf.delete(name);
          return result;
        };
        const runs = await settle(['one', 'other'].map(leave));
        expect(cut).toEqual([]);
        expect(runs.map(({ code, err }) => [code, err])).toEqual([
          [0, ''],
          [0, ''],
        ]);
        expect(remains(world)).toMatchObject({ hooks: ['backup'], keys: [], capacity: [] });
      }),
      { numRuns: 6 },
    );
  }, 120_000);
});

const withIds = (world: DroverWorld): Promise<readonly string[]> =>
  Promise.resolve(
    world.account.autoScaling.operations
      .DescribeAutoScalingInstances({})
      .AutoScalingInstances.map(({ InstanceId = '' }) => InstanceId),
  );
