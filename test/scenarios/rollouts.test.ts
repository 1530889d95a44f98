import type { CallInFlight, Strike } from '@drover/cloud-sandbox';
import { describe, expect, it } from 'vitest';
import {
  createDroverWorld,
  type DroverWorld,
  type DroverWorldOptions,
  stateOf,
  terminate,
  withWorkers,
} from '../../local/world/drover-world.ts';
import type { RbacManifest } from '../../local/world/rbac.ts';
import { newVersion, putRoll, seenOf, versionsOf } from '../../local/world/rolls.ts';
import { budget, deployment, podsNamed, podsOn, run } from '../../local/world/workloads.ts';
import { nodeNameOf, nodeObjectOf } from '../support/observed-instance.ts';

/** What an operator adds in the namespace of such Deployments. */
const restarter: RbacManifest = {
  kind: 'RoleBinding',
  metadata: { name: 'drover-restarter', namespace: 'default' },
  roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name: 'drover-restarter' },
  subjects: [{ apiGroup: 'rbac.authorization.k8s.io', kind: 'Group', name: 'drover' }],
};
const withRight: DroverWorldOptions = { editRbac: (manifests) => [...manifests, restarter] };

/** Workers, and a Deployment of one pod that asks for a rollout before an eviction. Its budget allows no eviction. */
async function singletonWorld(options: DroverWorldOptions, size = 2) {
  const world = createDroverWorld(options);
  const ids = await withWorkers(world, { size });
  const podAnnotations = { 'drover.dev/restart-before-eviction': 'true' };
  await run(
    world,
    deployment({ name: 'web', replicas: 1, podAnnotations }),
    budget('web', { minAvailable: 1 }),
  );
  const id = ids.find((one) => podsOn(world, nodeNameOf(world, one)).length > 0);
  if (id === undefined) throw new Error('the pod has no node');
  return { world, id };
}

const ready = (world: DroverWorld): number =>
  podsNamed(world, 'web').filter(
    ({ metadata, status }) =>
      metadata?.deletionTimestamp === undefined &&
      status?.conditions?.some(({ type, status: is }) => type === 'Ready' && is === 'True'),
  ).length;

/** The least number of pods that served until something is so. */
async function fewestUntil(world: DroverWorld, isSo: () => boolean, withinSeconds: number): Promise<number> {
  let fewest = Infinity;
  await world.timeline.until(
    () => {
      fewest = Math.min(fewest, ready(world));
      return isSo();
    },
    { withinSeconds, what: 'the end' },
  );
  return fewest;
}

const revisions = (world: DroverWorld): number => world.kubernetes.store.of('replicasets.apps').list().length;

describe('a Deployment of one pod that asks for a rollout before an eviction', () => {
  it('serves at every moment while its node leaves, in spite of a budget that allows nothing', async () => {
    const { world, id } = await singletonWorld(withRight);
    terminate(world, id);
    const fewest = await fewestUntil(world, () => stateOf(world, id) === undefined, 600);
    expect({ fewest, revisions: revisions(world) }).toEqual({ fewest: 1, revisions: 2 });
    expect(nodeObjectOf(world, id)).toBeUndefined();
  });

  it('is restarted once although the function is killed after each call', async () => {
    const strike = ({ caller, to, what }: CallInFlight): Strike | undefined =>
      caller === 'node-leaving' && to === 'kubernetes' && /^(?:PATCH|POST)/.test(what) && struck++ % 2 === 0
        ? { kind: 'kill-after' }
        : undefined;
    let struck = 0;
    const { world, id } = await singletonWorld({ ...withRight, weather: { strike } });
    terminate(world, id);
    const fewest = await fewestUntil(world, () => stateOf(world, id) === undefined, 1800);
    expect(struck).toBeGreaterThan(3);
    expect({ fewest, revisions: revisions(world) }).toEqual({ fewest: 1, revisions: 2 });
  });

  it('holds no roll, and serves while each node is replaced', async () => {
    const { world } = await singletonWorld(withRight, 3);
    const target = newVersion(world, 'ami-0000000000000new0');
    putRoll(world, { workers: target }, { bakeSeconds: 60 });
    const fewest = await fewestUntil(world, () => seenOf(world)?.state === 'done', 3600);
    expect({ fewest, versions: new Set(versionsOf(world)) }).toEqual({
      fewest: 1,
      versions: new Set([target.version]),
    });
  });

  it('waits for its budget as before if Drover may not restart it, and the pass says so', async () => {
    const { world, id } = await singletonWorld({});
    terminate(world, id);
    await world.timeline.pass(120);
    expect(revisions(world)).toBe(1);
    const reasons = world.lines.map(({ reason }) => String(reason));
    expect(reasons.join('\n')).toMatch(
      /default\/web-\S+ is evicted without a rollout of its Deployment: .*replicasets.* is forbidden/s,
    );
  });
});
