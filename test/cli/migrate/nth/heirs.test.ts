import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { DroverWorld } from '../../../../local/world/drover-world.ts';
import { chooser, createInterleaving } from '../../../support/interleaving.ts';
import { operatorOf } from '../../operator.ts';
import { handedOver, nthHook, nthWorld, putHook } from './world.ts';

const namesOf = (world: DroverWorld) =>
  handedOver(world).hooks.map(({ LifecycleHookName = '' }) => LifecycleHookName);

const deleteHook = ({ account }: DroverWorld, LifecycleHookName: string): void =>
  void account.autoScaling.operations.DeleteLifecycleHook({
    AutoScalingGroupName: 'workers',
    LifecycleHookName,
  });

describe('a hook is deleted only beside one whose program drains the nodes', () => {
  it('and a hook of someone else is none, if Drover’s hook went meanwhile', async () => {
    const world = await nthWorld();
    putHook(world, 'backup', 'TERMINATING', { heartbeatTimeoutSeconds: 60, defaultResult: 'CONTINUE' });
    const { operations } = world.account.autoScaling;
    const original = operations.DescribeLifecycleHooks;
    let awaited = 0;
    const drover = operatorOf(world, {
      onOutput: (text) => {
        // What follows is not planned again.
        if (!text.includes('awaited') || !text.endsWith(': done\n') || ++awaited !== 1) return;
        operations.DescribeLifecycleHooks = (input) => {
          operations.DescribeLifecycleHooks = original;
          deleteHook(world, 'drover-node-leaving');
          return original(input);
        };
      },
    });
    const { code, err } = await drover(`migrate nth --hook ${nthHook} --apply --yes`);
    expect(awaited).toBe(1);
    expect(code).toBe(1);
    expect(err).toContain(`hook ${nthHook}: workers has no drover-node-leaving on terminating instances`);
    expect(namesOf(world)).toEqual(['backup', nthHook]);
    expect((await operatorOf(world)(`migrate nth --hook ${nthHook} --apply --yes`)).code).toBe(0);
    expect(namesOf(world)).toEqual(['backup', 'drover-node-leaving']);
  });

  it('and comes back if that one was deleted in the same moment', async () => {
    const world = await nthWorld();
    const before = handedOver(world).hooks;
    const { operations } = world.account.autoScaling;
    const original = operations.DeleteLifecycleHook;
    operations.DeleteLifecycleHook = (input) => {
      operations.DeleteLifecycleHook = original;
      deleteHook(world, 'drover-node-leaving');
      return original(input);
    };
    const { code, err } = await operatorOf(world)('migrate nth --apply --yes');
    expect(code).toBe(1);
    expect(err).toContain('has again that hook, because it lost drover-node-leaving');
    expect(handedOver(world).hooks).toEqual(before);
    expect((await operatorOf(world)('migrate nth --apply --yes')).code).toBe(0);
    expect(namesOf(world)).toEqual(['drover-node-leaving']);
  });

  it('so that one is left of a run there and a run back at once, in every order of their calls', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(fc.nat(1000), { minLength: 8, maxLength: 40 }), async (picks) => {
        const world = await nthWorld();
        expect((await operatorOf(world)('migrate nth --apply --yes')).code).toBe(0);
        putHook(world, nthHook, 'TERMINATING', { heartbeatTimeoutSeconds: 300, defaultResult: 'CONTINUE' });
        const { machineOf, settle } = createInterleaving(world, { choose: chooser(picks) });
        await settle(
          ['migrate nth --apply --yes', 'migrate nth --back --apply --yes'].map((line) =>
            operatorOf(world, machineOf(line))(line),
          ),
        );
        expect(namesOf(world)).not.toEqual([]);
      }),
      { numRuns: 4 },
    );
  }, 120_000);
});
