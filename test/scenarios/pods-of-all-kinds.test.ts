import { describe, expect, it } from 'vitest';
import {
  createDroverWorld,
  type DroverWorld,
  nodesOf,
  stateOf,
  terminate,
  withWorkers,
} from '../support/drover-world.ts';
import { markOf, nodeNameOf, untilGone, untilSaid } from '../support/scenario.ts';
import {
  barePod,
  budget,
  create,
  daemonSet,
  deployment,
  podsNamed,
  podsOn,
  run,
  statefulSet,
} from '../support/workloads.ts';

async function cluster(size: number): Promise<{ world: DroverWorld; leaving: string }> {
  const world = createDroverWorld();
  const [leaving = ''] = await withWorkers(world, { size });
  return { world, leaving };
}

describe('a drain of pods of all kinds', () => {
  it('leaves DaemonSet pods where they are, and completes with them on the node', async () => {
    const { world, leaving } = await cluster(2);
    await run(world, daemonSet({ name: 'logs' }), deployment({ name: 'web', replicas: 4 }));
    const node = nodeNameOf(world, leaving);
    const logs = podsOn(world, node).find(({ metadata }) => metadata?.labels?.app === 'logs');
    terminate(world, leaving, { replace: false });
    await untilSaid(world, leaving, /its hook is completed/, 120);
    expect(podsNamed(world, 'logs').map(({ metadata }) => metadata?.uid)).toContain(logs?.metadata?.uid);
    expect(podsOn(world, node).every(({ metadata }) => metadata?.labels?.app === 'logs')).toBe(true);
  });

  it('does not chase a StatefulSet pod that was made anew elsewhere under its name', async () => {
    const { world, leaving } = await cluster(3);
    await create(world, statefulSet({ name: 'db', replicas: 3 }));
    await world.timeline.pass(60);
    const before = new Set(podsNamed(world, 'db').map(({ metadata }) => metadata?.uid));
    const leavers = podsOn(world, nodeNameOf(world, leaving)).length;
    terminate(world, leaving, { replace: false });
    await untilGone(world, leaving, 120);
    await world.timeline.pass(60);
    const after = podsNamed(world, 'db');
    expect(after).toHaveLength(3);
    expect(after.filter(({ metadata }) => !before.has(metadata?.uid ?? ''))).toHaveLength(leavers);
  });

  it('evicts critical pods only once the others are gone', async () => {
    const { world, leaving } = await cluster(1);
    await run(
      world,
      deployment({ name: 'web', replicas: 3, graceSeconds: 30, stopsAfterSeconds: 20 }),
      deployment({ name: 'dns', replicas: 1, pod: { priorityClassName: 'system-cluster-critical' } }),
    );
    const node = nodeNameOf(world, leaving);
    const on = (app: string) => podsOn(world, node).filter(({ metadata }) => metadata?.labels?.app === app);
    terminate(world, leaving, { replace: false });
    let overlap = 0;
    await world.timeline.until(
      () => {
        if (on('web').length > 0 && on('dns').some(({ metadata }) => metadata?.deletionTimestamp))
          overlap += 1;
        return stateOf(world, leaving) === undefined;
      },
      { withinSeconds: 300, what: 'the end' },
    );
    expect(overlap).toBe(0);
  });

  it('takes bare pods and emptyDir data along, as an automated drain does', async () => {
    const { world, leaving } = await cluster(1);
    await run(world, barePod('lonely'), barePod('scratch', { volumes: [{ name: 'data', emptyDir: {} }] }));
    terminate(world, leaving, { replace: false });
    await untilGone(world, leaving, 120);
    expect(podsNamed(world, 'lonely')).toEqual([]);
  });

  it('touches no pod while one refuses because a tag of the group says so, and names it', async () => {
    const world = createDroverWorld();
    const [leaving = ''] = await withWorkers(world, { size: 1, tags: { 'drover.dev/force': 'false' } });
    await run(world, barePod('lonely'), deployment({ name: 'web', replicas: 2 }));
    terminate(world, leaving, { replace: false });
    await world.timeline.pass(300);
    expect(stateOf(world, leaving)).toBe('Terminating:Wait');
    expect(
      podsOn(world, nodeNameOf(world, leaving)).filter(({ metadata }) => metadata?.deletionTimestamp),
    ).toEqual([]);
    expect(markOf(world, leaving)?.waitingFor.join()).toMatch(/default\/lonely/);
  });

  it('reports two budgets on one pod, which no waiting will change, and ends it at the deadline', async () => {
    const world = createDroverWorld();
    const [leaving = ''] = await withWorkers(world, { size: 1, tags: { 'drover.dev/drain-timeout': '3m' } });
    await run(
      world,
      deployment({ name: 'web', replicas: 1, graceSeconds: 10 }),
      budget('web', { maxUnavailable: 1 }),
      budget('web', { maxUnavailable: 1 }, 'another'),
    );
    terminate(world, leaving, { replace: false });
    await world.timeline.pass(100);
    expect(markOf(world, leaving)?.waitingFor.join()).toMatch(/default\/web-.*PodDisruptionBudget/);
    await untilGone(world, leaving, 120);
  });

  it('waits for volumes to be detached, and not for those of pods that stay', async () => {
    const { world, leaving } = await cluster(2);
    const claim = (name: string) => ({
      apiVersion: 'v1',
      kind: 'PersistentVolumeClaim',
      metadata: { name, namespace: 'default' },
      spec: { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1Gi' } } },
    });
    await run(
      world,
      claim('data'),
      deployment({
        name: 'db',
        replicas: 1,
        pod: { volumes: [{ name: 'data', persistentVolumeClaim: { claimName: 'data' } }] },
      }),
    );
    const holder = podsNamed(world, 'db')[0]?.spec?.nodeName;
    const id = nodeNameOf(world, leaving) === holder ? leaving : '';
    const [subject = ''] = id ? [id] : [...world.kubelets.keys()].filter((other) => other !== leaving);
    terminate(world, subject, { replace: false });
    await untilSaid(world, subject, /its volumes are not yet detached/, 120);
    expect(stateOf(world, subject)).toBe('Terminating:Wait');
    await untilGone(world, subject, 120);
    await world.timeline.pass(60);
    expect(podsNamed(world, 'db')[0]?.status?.phase).toBe('Running');
    expect(nodesOf(world)).toHaveLength(1);
  });
});

describe('a group with warm instances', () => {
  async function groupWithPool(): Promise<DroverWorld> {
    const world = createDroverWorld();
    await withWorkers(world, {
      size: 2,
      hook: { name: 'drover-node-leaving', heartbeatTimeoutSeconds: 3600 },
    });
    world.account.autoScaling.operations.PutWarmPool({
      AutoScalingGroupName: 'workers',
      MinSize: 1,
      InstanceReusePolicy: { ReuseOnScaleIn: true },
    });
    await world.timeline.pass(120);
    return world;
  }

  const scaleIn = (world: DroverWorld) =>
    world.account.autoScaling.operations.SetDesiredCapacity({
      AutoScalingGroupName: 'workers',
      DesiredCapacity: 1,
    });

  async function theReturn(world: DroverWorld) {
    const returned = () => world.lines.find(({ reason }) => /returns to the warm pool/.test(String(reason)));
    await world.timeline.until(() => returned() !== undefined, { withinSeconds: 600, what: 'the return' });
    return returned();
  }

  it('drains a node whose instance returns to the pool, and calls it no termination', async () => {
    const world = await groupWithPool();
    scaleIn(world);
    const returned = await theReturn(world);
    expect(returned).toMatchObject({ outcome: 'done', facts: { toWarmPool: true } });
    const facts = returned?.facts as { node?: string } | undefined;
    expect(nodesOf(world)).not.toContain(facts?.node);
  });

  it('drains it as well where the event of its return was lost', async () => {
    const world = await groupWithPool();
    world.account.events.disturb({ lost: 1 });
    scaleIn(world);
    await world.timeline.pass(5);
    world.account.events.disturb({});
    expect(await theReturn(world)).toMatchObject({ outcome: 'done', facts: { toWarmPool: true } });
  });
});

describe('two hooks on one group', () => {
  it('are completed each by whom it belongs to: the drain ends its own and leaves the other waiting', async () => {
    const world = createDroverWorld();
    const [leaving = ''] = await withWorkers(world, { size: 2 });
    world.account.autoScaling.operations.PutLifecycleHook({
      AutoScalingGroupName: 'workers',
      LifecycleHookName: 'backup-of-somebody-else',
      LifecycleTransition: 'autoscaling:EC2_INSTANCE_TERMINATING',
      HeartbeatTimeout: 600,
      DefaultResult: 'CONTINUE',
    });
    terminate(world, leaving, { replace: false });
    await untilSaid(world, leaving, /its hook is completed/, 60);
    await world.timeline.pass(300);
    expect(stateOf(world, leaving)).toBe('Terminating:Wait');
    await untilGone(world, leaving, 600);
  });
});
