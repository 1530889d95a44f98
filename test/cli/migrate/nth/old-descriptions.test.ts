import { describe, expect, it } from 'vitest';
import { type DroverWorld, membersOf, stateOf, terminate } from '../../../../local/world/drover-world.ts';
import { operatorOf } from '../../operator.ts';
import { handedOver, nthHook, nthWorld } from './world.ts';

/** What a hook's deletion ends: the states of an instance at that moment. */
function statesAtDeletion(world: DroverWorld, id: string): string[] {
  const states: string[] = [];
  const { operations } = world.account.autoScaling;
  const original = operations.DeleteLifecycleHook;
  operations.DeleteLifecycleHook = (input) => {
    states.push(`${input.LifecycleHookName}: ${stateOf(world, id) ?? 'gone'}`);
    return original(input);
  };
  return states;
}

describe('descriptions of Auto Scaling that are older than the hook of Drover', () => {
  it.each([20, 50])('of %d s hide no instance that waits only on the handler’s hook', async (seconds) => {
    let behind = 0;
    const world = await nthWorld({
      weather: {
        staleSeconds: ({ caller, what }) =>
          caller === 'operator' && what.includes('DescribeAutoScalingGroups') ? behind : 0,
      },
    });
    await world.timeline.pass(90);
    const before = handedOver(world);
    behind = seconds;
    const [{ InstanceId: id = '' } = {}] = membersOf(world);
    const states = statesAtDeletion(world, id);
    terminate(world, id, { replace: false });
    await world.timeline.pass(2);
    expect(stateOf(world, id)).toBe('Terminating:Wait');
    const drover = operatorOf(world);
    const runs = async (line: string): Promise<void> => {
      for (let run = 0; run < 4; run += 1) {
        if ((await drover(line)).code === 0) return;
        await world.timeline.pass(30);
      }
      expect(await drover(line)).toMatchObject({ code: 0, err: '' });
    };
    await runs('migrate nth --apply --yes --wait 20m');
    expect(states).toEqual([expect.stringMatching(`^${nthHook}: (gone|Terminating:Proceed)$`)]);
    expect(handedOver(world).hooks).toMatchObject([{ LifecycleHookName: 'drover-node-leaving' }]);
    await runs('migrate nth --back --apply --yes');
    const { tags, hooks } = handedOver(world);
    expect({ tags, hooks }).toEqual({ tags: before.tags, hooks: before.hooks });
  });
});
