import type { CallInFlight, Strike } from '@drover/cloud-sandbox';
import { describe, expect, it } from 'vitest';
import {
  createDroverWorld,
  hookName,
  membersOf,
  nodesOf,
  stateOf,
  terminate,
  withWorkers,
} from '../../local/world/drover-world.ts';
import {
  daemonSet,
  deployment,
  heldDeployment,
  podsNamed,
  request,
  run,
} from '../../local/world/workloads.ts';
import {
  countCalls,
  markOf,
  nodeNameOf,
  nodeObjectOf,
  passesOf,
  untilGone,
  untilSaid,
} from '../support/observed-instance.ts';

const shortHook = { name: hookName, heartbeatTimeoutSeconds: 60 };

describe('problems that users report of other drainers', () => {
  it('a drain that outlives the heartbeat keeps its instance waiting (NTH #493, #1172; LM #283)', async () => {
    const calls = countCalls();
    const world = createDroverWorld({ weather: { onCall: calls.onCall } });
    const [leaving = ''] = await withWorkers(world, { size: 2, hook: shortHook });
    await run(
      world,
      deployment({
        name: 'slow',
        replicas: 4,
        graceSeconds: 300,
        stopsAfterSeconds: 250,
      }),
    );
    terminate(world, leaving, { replace: false });
    expect(await untilGone(world, leaving)).toBeGreaterThan(240);
    expect(calls.count('autoscaling RecordLifecycleActionHeartbeat')).toBeGreaterThanOrEqual(4);
    const beats = calls.count('autoscaling RecordLifecycleActionHeartbeat');
    await world.timeline.pass(600);
    expect(calls.count('autoscaling RecordLifecycleActionHeartbeat'), 'no orphan heartbeats').toBe(beats);
  });

  it('an outage of the API server abandons no instance: the wait is kept, and the drain continues afterwards (LM #189)', async () => {
    let isAway = false;
    const calls = countCalls();
    const strike = ({ to }: CallInFlight): Strike | undefined =>
      isAway && to === 'kubernetes' ? { kind: 'fail-before' } : undefined;
    const world = createDroverWorld({ weather: { strike, onCall: calls.onCall } });
    const [leaving = ''] = await withWorkers(world, { size: 2, hook: shortHook });
    await run(world, deployment({ name: 'web', replicas: 6 }));
    isAway = true;
    terminate(world, leaving, { replace: false });
    await world.timeline.pass(900);
    expect(stateOf(world, leaving)).toBe('Terminating:Wait');
    isAway = false;
    await untilGone(world, leaving, 120);
    expect(podsNamed(world, 'web').filter((pod) => pod.status?.phase === 'Running')).toHaveLength(6);
    expect(nodesOf(world)).toHaveLength(1);
  });

  it('ten stuck budgets do not delay other nodes (NTH #1280, #971, #1023)', async () => {
    const world = createDroverWorld();
    const stuck = await withWorkers(world, { size: 10, autoScalingGroupName: 'stuck' });
    await run(world, ...heldDeployment({ name: 'held', replicas: 20 }));
    const free = await withWorkers(world, { size: 5, autoScalingGroupName: 'free' });
    for (const id of stuck) terminate(world, id, { replace: false });
    await world.timeline.pass(60);
    for (const id of free) terminate(world, id, { replace: false });
    expect(await untilGone(world, free[0] ?? '', 60)).toBeLessThan(30);
    expect(stuck.map((id) => stateOf(world, id))).toEqual(stuck.map(() => 'Terminating:Wait'));
  });

  it('a message for a node that is already gone is done and not parked (NTH #331, #307, #787)', async () => {
    const world = createDroverWorld();
    const [leaving = ''] = await withWorkers(world, { size: 2 });
    await request(world, 'DELETE', `/api/v1/nodes/${nodeNameOf(world, leaving)}`);
    terminate(world, leaving, { replace: false });
    await untilGone(world, leaving, 60);
    await world.timeline.pass(1200);
    expect(
      world.account.sqs.controls
        .queueNames()
        .filter((queue) => world.account.sqs.controls.peek(queue).length > 0),
    ).toEqual([]);
  });

  it('a Node that has the name of another instance is left alone: only the providerID counts', async () => {
    let stolen = '';
    const world = createDroverWorld({
      kubelets: {
        configure: (instance) => ({
          ...(instance.privateDnsName !== stolen &&
            stolen === '' && { nodeName: `first-${instance.instanceId.slice(-4)}` }),
        }),
      },
    });
    const [leaving = '', other = ''] = await withWorkers(world, { size: 2 });
    stolen = nodeNameOf(world, other);
    terminate(world, leaving, { replace: false });
    await untilGone(world, leaving);
    expect(nodeObjectOf(world, other)?.spec?.unschedulable).toBeUndefined();
  });

  it('a Health event with several instances drains each of them', async () => {
    const world = createDroverWorld();
    const ids = await withWorkers(world, { size: 4 });
    const [first = '', second = '', third = ''] = ids;
    world.account.ec2.accidents.healthEvent({
      entities: [first, second, third],
      entitiesPerPage: 2,
    });
    await world.timeline.until(() => [first, second, third].every((id) => stateOf(world, id) === undefined), {
      withinSeconds: 900,
      what: 'all three replaced',
    });
    const inService = () => membersOf(world).filter(({ LifecycleState }) => LifecycleState === 'InService');
    await world.timeline.until(() => inService().length === 4, {
      withinSeconds: 300,
      what: 'their replacement',
    });
  });

  it('two clusters in one account do not touch each other’s nodes (NTH #787; LM #65)', async () => {
    const world = createDroverWorld();
    const [theirs = ''] = await withWorkers(world, {
      size: 1,
      autoScalingGroupName: 'theirs',
      clusterName: 'another',
    });
    terminate(world, theirs, { replace: false });
    await world.timeline.pass(120);
    expect(stateOf(world, theirs)).toBe('Terminating:Wait');
    expect(passesOf(world, theirs)).toEqual([]);
  });

  it.each([
    ['with an event', {}],
    ['without an event', { lost: 1 }],
  ])(
    'an instance that EC2 takes while it waits %s is not drained to its deadline (LM #44)',
    async (_, events) => {
      const world = createDroverWorld();
      const [leaving = ''] = await withWorkers(world, { size: 2 });
      await run(world, ...heldDeployment({ name: 'held', replicas: 4 }));
      terminate(world, leaving, { replace: false });
      await world.timeline.pass(30);
      world.account.events.disturb(events);
      world.account.ec2.accidents.kill(leaving);
      await untilSaid(world, leaving, /there is nothing to drain/, 120);
      await untilGone(world, leaving, 10);
      expect(nodesOf(world)).toHaveLength(1);
    },
  );

  it('a message is not deleted before its work is finished: a crash loses nothing (LM, gravity)', async () => {
    let crashes = 0;
    const strike = ({ caller, what }: CallInFlight): Strike | undefined => {
      if (caller !== 'node-leaving' || !what.includes('/eviction') || crashes > 0) return undefined;
      crashes += 1;
      return { kind: 'kill-after' };
    };
    const world = createDroverWorld({ weather: { strike } });
    const [leaving = ''] = await withWorkers(world, { size: 2 });
    await run(world, deployment({ name: 'web', replicas: 6 }));
    terminate(world, leaving, { replace: false });
    await untilGone(world, leaving, 900);
    expect(crashes).toBe(1);
    expect(nodesOf(world)).toHaveLength(1);
  });

  it('a failed node list is not read as "no such node" (LM)', async () => {
    let fails = true;
    const strike = ({ to, what }: CallInFlight): Strike | undefined =>
      fails && to === 'kubernetes' && /GET \/api\/v1\/nodes/.test(what)
        ? { kind: 'http-answer', status: 503, body: '{}' }
        : undefined;
    const world = createDroverWorld({ weather: { strike } });
    const [leaving = ''] = await withWorkers(world, { size: 2 });
    terminate(world, leaving, { replace: false });
    await world.timeline.pass(120);
    expect(stateOf(world, leaving)).toBe('Terminating:Wait');
    fails = false;
    await untilGone(world, leaving, 60);
    expect(nodesOf(world)).toHaveLength(1);
  });

  it('a DaemonSet that could not be looked up once is looked up again by the next pass', async () => {
    let failures = 1;
    const strike = ({ what }: CallInFlight): Strike | undefined => {
      if (!what.includes('/daemonsets/') || failures === 0) return undefined;
      failures -= 1;
      return { kind: 'http-answer', status: 503, body: '{}' };
    };
    const world = createDroverWorld({ weather: { strike } });
    const [leaving = ''] = await withWorkers(world, { size: 2 });
    await run(world, daemonSet({ name: 'agent' }));
    terminate(world, leaving, { replace: false });
    expect(await untilGone(world, leaving)).toBeLessThan(50);
    expect(failures).toBe(0);
  });

  it('the Node object is deleted, also if the instance dies without a hook (NTH #719, #437; eksctl #1702)', async () => {
    const world = createDroverWorld();
    const [dying = ''] = await withWorkers(world, { size: 2 });
    const node = nodeNameOf(world, dying);
    world.account.ec2.accidents.kill(dying);
    await world.timeline.until(() => !nodesOf(world).includes(node), {
      withinSeconds: 900,
      what: 'the Node of the dead instance deleted',
    });
  });

  it('a waiting drain shows its progress on the Node', async () => {
    const world = createDroverWorld();
    const [leaving = ''] = await withWorkers(world, { size: 1 });
    await run(world, ...heldDeployment({ name: 'held', replicas: 2 }));
    terminate(world, leaving, { replace: false });
    await untilSaid(world, leaving, /waits for 2 pods/);
    expect(markOf(world, leaving)).toMatchObject({
      cause: 'terminating',
      instanceId: leaving,
      until: expect.any(String),
    });
    expect(nodeObjectOf(world, leaving)?.metadata?.labels).toMatchObject({
      'node.kubernetes.io/exclude-from-external-load-balancers': 'true',
    });
  });
});
