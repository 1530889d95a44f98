import type { Cases } from '@drover/cloud-sandbox/truth/contract.ts';
import { expect } from 'vitest';
import { barePod, budget, deployment, heldDeployment } from '../../../local/world/workloads.ts';
import type { World } from '../worlds/world.ts';
import { drainTimeoutSeconds, stateOf, terminate, untilGone, workers } from './support/groups.ts';
import { eventsOn, markOf, nodeNameOf } from './support/nodes.ts';
import { forcedIn, untilHeldBy } from './support/passes.ts';
import { create, isGoing, podsNamed, podsOf, untilReady } from './support/pods.ts';

/** The grace period in the deletion of each pod, once all are being deleted. */
async function gracesOf(world: World, app: string): Promise<readonly number[]> {
  let going: Awaited<ReturnType<typeof podsNamed>> = [];
  await world.until(
    async () => {
      const pods = (await podsNamed(world, app)).filter(({ spec }) => spec?.nodeName !== undefined);
      going = pods.filter(isGoing);
      return pods.length > 0 && going.length === pods.length;
    },
    { withinSeconds: drainTimeoutSeconds + 15, what: `the deletion of ${app}` },
  );
  return going.map(({ metadata }) => metadata?.deletionGracePeriodSeconds ?? -1);
}

/** Pods that do not go when they are asked to. */
export const deadlineCases: Cases<World> = {
  // What users complain of in other drainers: NTH #433, #448, #545.
  'a budget that lets nothing go is named on the Node and kept until the deadline, when its pods are deleted with their grace':
    async (world) => {
      const [leaving = ''] = await workers(world, { size: 1 });
      await create(
        world,
        ...heldDeployment({ name: 'held', replicas: 2, graceSeconds: 3, stopsAfterSeconds: 3 }),
      );
      await untilReady(world, 'held', 2);
      const node = await nodeNameOf(world, leaving);
      terminate(world, leaving);
      const start = world.now();
      await untilHeldBy(world, leaving, /held-.* \(budget held\)/);
      expect((await podsOf(world, 'held', node)).filter(isGoing)).toEqual([]);
      expect(await gracesOf(world, 'held')).toEqual([3, 3]);
      expect((world.now() - start) / 1000).toBeGreaterThan(drainTimeoutSeconds - 6);
      await untilGone(world, leaving, 30);
      expect(forcedIn(world, leaving)).toBe(2);
      expect(await eventsOn(world, node)).toEqual(
        expect.arrayContaining(['NodeLeaving', 'DrainHeld', 'DrainForced']),
      );
    },

  'two budgets on one pod are said on the Node, and end at the deadline': async (world) => {
    const [leaving = ''] = await workers(world, { size: 1 });
    await create(
      world,
      deployment({ name: 'web', replicas: 1, graceSeconds: 2 }),
      budget('web', { maxUnavailable: 1 }),
      budget('web', { maxUnavailable: 1 }, 'another'),
    );
    await untilReady(world, 'web', 1);
    terminate(world, leaving);
    await untilHeldBy(world, leaving, /web-.*more than one PodDisruptionBudget/);
    await untilGone(world, leaving);
    expect(forcedIn(world, leaving)).toBe(1);
  },

  // NTH #355.
  'the hook is not completed before the pods have stopped': async (world) => {
    const [leaving = ''] = await workers(world, { size: 1, tags: { 'drover.dev/drain-timeout': '2m' } });
    const slow = { name: 'slow', replicas: 2, graceSeconds: 60, stopsAfterSeconds: 12 };
    await create(world, deployment(slow));
    await untilReady(world, 'slow', 2);
    const node = await nodeNameOf(world, leaving);
    terminate(world, leaving);
    const start = world.now();
    await world.until(
      async () => {
        const state = stateOf(world, leaving);
        const left = await podsOf(world, 'slow', node);
        if (left.length > 0) expect(state).toBe('Terminating:Wait');
        return left.length === 0;
      },
      { withinSeconds: 60, what: 'the end of the pods' },
    );
    expect((world.now() - start) / 1000).toBeGreaterThan(11);
    await untilGone(world, leaving, 30);
  },

  'while a pod refuses, because the group says that none is forced, none is asked to leave, and it is named':
    async (world) => {
      const [leaving = ''] = await workers(world, { size: 1, tags: { 'drover.dev/force': 'false' } });
      await create(world, barePod('lonely'), deployment({ name: 'web', replicas: 2, graceSeconds: 2 }));
      await untilReady(world, 'web', 2);
      await untilReady(world, 'lonely', 1);
      terminate(world, leaving);
      await untilHeldBy(world, leaving, /lonely.*no controller would recreate it/);
      expect((await podsNamed(world, 'web')).filter(isGoing)).toEqual([]);
      expect(stateOf(world, leaving)).toBe('Terminating:Wait');
      await untilGone(world, leaving);
      expect(await markOf(world, leaving)).toBeUndefined();
    },

  'pods that are not Ready are held by a budget without enough healthy ones, unless it always allows their eviction':
    async (world) => {
      const [leaving = ''] = await workers(world, { size: 1 });
      const unready = { readinessGates: [{ conditionType: 'example.com/never' }] };
      const alwaysAllow = { unhealthyPodEvictionPolicy: 'AlwaysAllow' };
      await create(
        world,
        deployment({ name: 'held', replicas: 1, graceSeconds: 2, pod: unready }),
        budget('held', { minAvailable: 1 }),
        deployment({ name: 'free', replicas: 1, graceSeconds: 2, pod: unready }),
        withSpec(budget('free', { minAvailable: 1 }), alwaysAllow),
      );
      const node = await nodeNameOf(world, leaving);
      await untilRunning(world, ['held', 'free']);
      terminate(world, leaving);
      await untilHeldBy(world, leaving, /held-.* \(budget held\)/);
      await world.until(async () => (await podsOf(world, 'free', node)).length === 0, {
        withinSeconds: 15,
        what: 'the eviction of what is not Ready',
      });
      expect((await podsOf(world, 'held', node)).filter(isGoing)).toEqual([]);
    },
};

const withSpec = <Manifest extends { readonly spec?: object }>(
  manifest: Manifest,
  spec: object,
): Manifest => ({
  ...manifest,
  spec: { ...manifest.spec, ...spec },
});

const untilRunning = (world: World, apps: readonly string[]): Promise<void> =>
  world.until(
    async () => {
      const pods = (await Promise.all(apps.map((app) => podsNamed(world, app)))).flat();
      return pods.length === apps.length && pods.every(({ status }) => status?.phase === 'Running');
    },
    { withinSeconds: 60, what: `${apps.join(' and ')} running` },
  );
