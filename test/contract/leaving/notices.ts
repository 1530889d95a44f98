import type { Cases } from '@drover/cloud-sandbox/truth/contract.ts';
import { expect } from 'vitest';
import { deployment, heldDeployment } from '../../../local/world/workloads.ts';
import type { World } from '../worlds/world.ts';
import { stateOf, terminate, untilGone, workers } from './support/groups.ts';
import { nodeOf, nodesOf } from './support/nodes.ts';
import { passesOf, untilSaid } from './support/passes.ts';
import { create, isGoing, podsNamed, untilReady } from './support/pods.ts';

/** Events that AWS sends about an instance, and events that it loses. */
export const noticeCases: Cases<World> = {
  'a node whose spot instance is interrupted is drained and handed back, and another one comes': async (
    world,
  ) => {
    const [taken = ''] = await workers(world, { size: 1, spot: true, withHook: false });
    await create(world, deployment({ name: 'web', replicas: 2, graceSeconds: 3, stopsAfterSeconds: 1 }));
    await untilReady(world, 'web', 2);
    world.account.ec2.accidents.interruptSpot(taken);
    await untilSaid(world, taken, /it is handed back to Auto Scaling/);
    expect(await nodeOf(world, taken)).toBeUndefined();
    await untilReady(world, 'web', 2);
    expect(await nodesOf(world)).toHaveLength(1);
  },

  'what a budget holds on an interrupted spot instance is deleted with the grace that fits into its two minutes':
    async (world) => {
      const [taken = ''] = await workers(world, { size: 1, spot: true, withHook: false });
      const held = { name: 'held', replicas: 1, graceSeconds: 600, stopsAfterSeconds: 600 };
      await create(world, ...heldDeployment(held));
      await untilReady(world, 'held', 1);
      world.account.ec2.accidents.interruptSpot(taken);
      await world.until(async () => (await podsNamed(world, 'held')).some(isGoing), {
        withinSeconds: 30,
        what: 'the deletion',
      });
      const [pod] = (await podsNamed(world, 'held')).filter(isGoing);
      expect(pod?.metadata?.deletionGracePeriodSeconds).toBeGreaterThan(60);
      expect(pod?.metadata?.deletionGracePeriodSeconds).toBeLessThanOrEqual(115);
    },

  'the sweep finds a waiting instance whose event was lost, even right after another sweep': async (
    world,
  ) => {
    const [leaving = ''] = await workers(world, { size: 1 });
    await sweep(world);
    const { events } = world.account;
    events.disturb({ lost: 1 });
    terminate(world, leaving);
    events.disturb({});
    await world.pass(2);
    expect(stateOf(world, leaving)).toBe('Terminating:Wait');
    await sweep(world);
    await untilGone(world, leaving, 40);
    expect(passesOf(world, leaving)[0]).toMatchObject({ causes: ['swept'] });
  },
};

async function sweep(world: World): Promise<void> {
  expect(await world.invoke('sweep', {})).toMatchObject({ kind: 'succeeded' });
}
