import type { Cases } from '@drover/cloud-sandbox/truth/contract.ts';
import type { Pod } from 'kubernetes-types/core/v1.d.ts';
import { expect } from 'vitest';
import { barePod, budget, daemonSet, deployment, heldDeployment } from '../../../local/world/workloads.ts';
import type { World } from '../worlds/world.ts';
import { ask } from './support/api.ts';
import { terminate, untilGone, workers } from './support/groups.ts';
import { nodeNameOf, nodeOf } from './support/nodes.ts';
import { evictedIn, forcedIn, untilHeldBy } from './support/passes.ts';
import { create, isGoing, podsNamed, podsOf, untilReady } from './support/pods.ts';

/** Lets the node leave. Returns the pods of the application as they were at each read before the Node was deleted. */
async function watchLeave(world: World, instanceId: string, app: string): Promise<readonly Pod[]> {
  const seen: Pod[] = [];
  terminate(world, instanceId);
  await world.until(
    async () => {
      const pods = await podsNamed(world, app);
      const isThere = (await nodeOf(world, instanceId)) !== undefined;
      if (isThere) seen.push(...pods);
      return !isThere;
    },
    { withinSeconds: 60, what: 'the Node deleted' },
  );
  return seen;
}

/** Pods of which a drain takes another view. */
export const kindsCases: Cases<World> = {
  'DaemonSet pods stay on the node to its end': async (world) => {
    const [leaving = ''] = await workers(world, { size: 1 });
    await create(
      world,
      daemonSet({ name: 'agent', graceSeconds: 2 }),
      deployment({ name: 'web', replicas: 2, graceSeconds: 2 }),
    );
    await untilReady(world, 'agent', 1);
    await untilReady(world, 'web', 2);
    const agents = await watchLeave(world, leaving, 'agent');
    expect(new Set(agents.map(({ metadata }) => metadata?.uid)).size).toBe(1);
    expect(agents.filter(isGoing)).toEqual([]);
    expect(evictedIn(world, leaving)).toBe(2);
    await untilGone(world, leaving);
  },

  'mirrors of static pods are left alone': async (world) => {
    const [leaving = ''] = await workers(world, { size: 1 });
    const manifest = barePod('static');
    await world.runStaticPod(await nodeNameOf(world, leaving), {
      ...manifest,
      metadata: { ...manifest.metadata, namespace: world.namespace },
    });
    await create(world, deployment({ name: 'web', replicas: 1, graceSeconds: 2 }));
    await untilReady(world, 'static', 1);
    await untilReady(world, 'web', 1);
    const mirrors = await watchLeave(world, leaving, 'static');
    expect(mirrors.filter(isGoing)).toEqual([]);
    expect(evictedIn(world, leaving)).toBe(1);
    await untilGone(world, leaving);
  },

  'bare pods, those with emptyDir data and finished ones, whatever their budget, are evicted at once': async (
    world,
  ) => {
    const [leaving = ''] = await workers(world, { size: 1 });
    const grace = { terminationGracePeriodSeconds: 2 };
    await create(
      world,
      barePod('lonely', grace),
      barePod('scratch', { ...grace, volumes: [{ name: 'data', emptyDir: {} }] }),
      barePod('finished', { ...grace, restartPolicy: 'Never' }),
      budget('finished', { maxUnavailable: 0 }),
    );
    for (const app of ['lonely', 'scratch', 'finished']) await untilReady(world, app, 1);
    await ask(world, 'PATCH', `/api/v1/namespaces/${world.namespace}/pods/finished/status`, {
      status: { phase: 'Succeeded' },
    });
    terminate(world, leaving);
    expect(await untilGone(world, leaving)).toBeLessThan(25);
    expect(evictedIn(world, leaving)).toBe(3);
    expect(forcedIn(world, leaving)).toBe(0);
  },

  'a pod that only its finalizer keeps is not waited for': async (world) => {
    const [leaving = ''] = await workers(world, { size: 1 });
    const pod = barePod('kept', { terminationGracePeriodSeconds: 2 });
    await create(world, { ...pod, metadata: { ...pod.metadata, finalizers: ['example.com/hold'] } });
    await untilReady(world, 'kept', 1);
    terminate(world, leaving);
    expect(await untilGone(world, leaving)).toBeLessThan(25);
    expect(forcedIn(world, leaving)).toBe(0);
    const [left] = await podsNamed(world, 'kept');
    expect(left?.metadata).toMatchObject({ finalizers: ['example.com/hold'], deletionGracePeriodSeconds: 0 });
    await ask(world, 'PATCH', `/api/v1/namespaces/${world.namespace}/pods/kept`, {
      metadata: { finalizers: null },
    });
  },

  'pods that a budget holds go with their namespace': async (world) => {
    const [leaving = ''] = await workers(world, { size: 1, tags: { 'drover.dev/drain-timeout': '10m' } });
    await create(
      world,
      ...heldDeployment({ name: 'held', replicas: 2, graceSeconds: 8, stopsAfterSeconds: 7 }),
    );
    await untilReady(world, 'held', 2);
    const node = await nodeNameOf(world, leaving);
    terminate(world, leaving);
    await untilHeldBy(world, leaving, /held-.* \(budget held\)/);
    await ask(world, 'DELETE', `/api/v1/namespaces/${world.namespace}`);
    await world.until(async () => (await podsOf(world, 'held', node)).every(isGoing), {
      withinSeconds: 20,
      what: 'the end of the namespace begun',
    });
    await untilGone(world, leaving);
    expect(forcedIn(world, leaving)).toBe(0);
  },
};
