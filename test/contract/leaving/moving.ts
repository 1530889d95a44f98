import type { Cases } from '@drover/cloud-sandbox/truth/contract.ts';
import { expect } from 'vitest';
import { budget, deployment, statefulSet } from '../../../local/world/workloads.ts';
import type { World } from '../worlds/world.ts';
import { terminate, untilGone, workers } from './support/groups.ts';
import { nodeNameOf, nodesOf } from './support/nodes.ts';
import { forcedIn, passesOf, untilSaid } from './support/passes.ts';
import { create, isGoing, podsNamed, podsOf, readyCount, untilReady } from './support/pods.ts';

/** Pods that leave because their node does, and are created again on another. */
export const movingCases: Cases<World> = {
  'a node whose instance is terminated is drained and deleted, its hook completed, its pods run elsewhere':
    async (world) => {
      const [leaving = ''] = await workers(world, { size: 2 });
      await create(world, deployment({ name: 'web', replicas: 6, graceSeconds: 3, stopsAfterSeconds: 1 }));
      await untilReady(world, 'web', 6);
      const node = await nodeNameOf(world, leaving);
      expect(await podsOf(world, 'web', node)).not.toEqual([]);
      terminate(world, leaving);
      await untilGone(world, leaving);
      expect(await nodesOf(world)).toHaveLength(1);
      // EC2 sends an event for the instance's end too, and its pass may come last.
      expect(passesOf(world, leaving)).toContainEqual(
        expect.objectContaining({
          outcome: 'done',
          reason: `node ${node} is drained and deleted; its hook is completed`,
        }),
      );
      await untilReady(world, 'web', 6);
      expect(await podsOf(world, 'web', node)).toEqual([]);
    },

  'a budget that lets one pod go at a time is kept': async (world) => {
    const [leaving = ''] = await workers(world, { size: 2 });
    await create(
      world,
      deployment({ name: 'web', replicas: 4, graceSeconds: 2, stopsAfterSeconds: 1 }),
      budget('web', { maxUnavailable: 1 }),
    );
    await untilReady(world, 'web', 4);
    const node = await nodeNameOf(world, leaving);
    expect((await podsOf(world, 'web', node)).length).toBeGreaterThan(1);
    terminate(world, leaving);
    let fewest = 4;
    await world.until(
      async () => {
        fewest = Math.min(fewest, await readyCount(world, 'web'));
        return (await podsOf(world, 'web', node)).length === 0;
      },
      { withinSeconds: 90, what: 'the node without its pods' },
    );
    expect(fewest).toBe(3);
    await untilSaid(world, leaving, /is drained and deleted/);
    expect(forcedIn(world, leaving)).toBe(0);
  },

  'critical pods leave once the others are gone': async (world) => {
    const [leaving = ''] = await workers(world, { size: 1, tags: { 'drover.dev/drain-timeout': '2m' } });
    const critical = { priorityClassName: 'system-cluster-critical' };
    await create(
      world,
      deployment({ name: 'web', replicas: 2, graceSeconds: 15, stopsAfterSeconds: 6 }),
      deployment({ name: 'dns', replicas: 1, graceSeconds: 2, pod: critical }),
    );
    await untilReady(world, 'web', 2);
    await untilReady(world, 'dns', 1);
    const node = await nodeNameOf(world, leaving);
    terminate(world, leaving);
    let overlaps = 0;
    await world.until(
      async () => {
        const critical = await podsOf(world, 'dns', node);
        const others = await podsOf(world, 'web', node);
        if (others.length > 0 && critical.some(isGoing)) overlaps += 1;
        return critical.length === 0;
      },
      { withinSeconds: 60, what: 'the node without its critical pod' },
    );
    expect(overlaps).toBe(0);
    await untilGone(world, leaving, 30);
  },

  'a StatefulSet pod that was recreated on another node is not evicted there': async (world) => {
    const [leaving = ''] = await workers(world, { size: 2 });
    await create(world, statefulSet({ name: 'db', replicas: 2, graceSeconds: 2 }));
    await untilReady(world, 'db', 2);
    const node = await nodeNameOf(world, leaving);
    const before = new Set((await podsNamed(world, 'db')).map(({ metadata }) => metadata?.uid));
    const leavers = (await podsOf(world, 'db', node)).length;
    terminate(world, leaving);
    await untilGone(world, leaving);
    await untilReady(world, 'db', 2);
    const made = (await podsNamed(world, 'db')).filter(({ metadata }) => !before.has(metadata?.uid ?? ''));
    expect(made).toHaveLength(leavers);
  },
};
