import type { CallInFlight, Strike } from '@drover/cloud-sandbox';
import { describe, expect, it } from 'vitest';
import { createDroverWorld, nodesOf, withWorkers } from '../../local/world/drover-world.ts';
import { deployment, podsOn, run } from '../../local/world/workloads.ts';
import { nodeNameOf, untilSaid } from '../support/observed-instance.ts';

/** Fails the first call of this kind and no other. */
function once(what: RegExp, strike: Strike) {
  let hasStruck = false;
  return {
    hasStruck: () => hasStruck,
    strike: (call: CallInFlight): Strike | undefined => {
      if (hasStruck || !what.test(call.what)) return undefined;
      hasStruck = true;
      return strike;
    },
  };
}

describe('an intake of a spot interruption that is killed', () => {
  it('is retried, and the node is drained before the two minutes are over', async () => {
    const accident = once(/autoscaling DescribeAutoScalingInstances/, { kind: 'kill-after' });
    const world = createDroverWorld({ weather: { strike: accident.strike } });
    const [taken = ''] = await withWorkers(world, { size: 2, spot: true, hook: undefined });
    world.account.ec2.accidents.interruptSpot(taken);
    await untilSaid(world, taken, /handed back to Auto Scaling/, 90);
    expect(accident.hasStruck()).toBe(true);
    expect(world.problems).toMatchObject([{ outcome: { kind: 'timed-out' } }]);
  });
});

describe('a pass over a spot interruption that is killed', () => {
  it('after its first eviction is retried, and the node is drained before the two minutes are over', async () => {
    const accident = once(/\/eviction$/, { kind: 'kill-after' });
    const world = createDroverWorld({ weather: { strike: accident.strike } });
    const [taken = ''] = await withWorkers(world, { size: 2, spot: true, hook: undefined });
    await run(world, deployment({ name: 'web', replicas: 6 }));
    const node = nodeNameOf(world, taken);
    expect(podsOn(world, node).length).toBeGreaterThan(1);
    world.account.ec2.accidents.interruptSpot(taken);
    await untilSaid(world, taken, /handed back to Auto Scaling/, 90);
    expect(accident.hasStruck()).toBe(true);
    expect(world.problems).toMatchObject([{ outcome: { kind: 'timed-out' } }]);
    expect(nodesOf(world)).not.toContain(node);
  });
});
