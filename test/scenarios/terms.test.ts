import type { CallInFlight } from '@drover/cloud-sandbox';
import { describe, expect, it } from 'vitest';
import {
  createDroverWorld,
  type DroverWorld,
  membersOf,
  nodesOf,
  stateOf,
  terminate,
  withWorkers,
} from '../../local/world/drover-world.ts';
import { deployment, podsOn, run } from '../../local/world/workloads.ts';
import {
  eventsOn,
  markOf,
  nodeNameOf,
  nodeObjectOf,
  passesOf,
  untilGone,
  untilSaid,
} from '../support/observed-instance.ts';

const tagGroup = ({ account }: DroverWorld, key: string, value: string): void => {
  account.autoScaling.operations.CreateOrUpdateTags({
    Tags: [
      {
        ResourceId: 'workers',
        ResourceType: 'auto-scaling-group',
        Key: key,
        Value: value,
        PropagateAtLaunch: false,
      },
    ],
  });
};

describe('a paused group', () => {
  it('keeps its waits and does nothing else, reports how long that can last, and continues when it is resumed', async () => {
    const world = createDroverWorld();
    const [leaving = ''] = await withWorkers(world, {
      size: 2,
      hook: { name: 'drover-node-leaving', heartbeatTimeoutSeconds: 60 },
    });
    tagGroup(world, 'drover.dev/paused', 'scope=group');
    await world.timeline.pass(20);
    terminate(world, leaving, { replace: false });
    await world.timeline.pass(600);
    expect(stateOf(world, leaving)).toBe('Terminating:Wait');
    expect(nodeObjectOf(world, leaving)?.spec?.unschedulable).toBeUndefined();
    await untilSaid(world, leaving, /paused for the group; the wait can be held until 20/, 30);
    tagGroup(world, 'drover.dev/paused', 'false');
    await untilGone(world, leaving, 120);
  });
});

describe('a paused group whose instance has died', () => {
  it('keeps its Node until it is resumed: nothing is done while it is paused', async () => {
    const world = createDroverWorld();
    const [dying = ''] = await withWorkers(world, { size: 2, hook: undefined });
    const node = nodeNameOf(world, dying);
    tagGroup(world, 'drover.dev/paused', 'scope=group');
    await world.timeline.pass(60);
    world.account.ec2.accidents.kill(dying);
    await world.timeline.pass(900);
    expect(nodesOf(world)).toContain(node);
    expect(passesOf(world, dying).at(-1)).toMatchObject({
      outcome: 'again',
      reason: expect.stringMatching(/paused/),
    });
    tagGroup(world, 'drover.dev/paused', 'false');
    await world.timeline.pass(60);
    expect(nodesOf(world)).not.toContain(node);
  });
});

describe('the number of nodes that leave at once', () => {
  it('is limited in a group, every node gets its turn, and no pod is evicted twice', async () => {
    const asked: string[] = [];
    const onCall = ({ what }: CallInFlight): void => {
      if (what.endsWith('/eviction')) asked.push(what);
    };
    const world = createDroverWorld({ weather: { onCall } });
    const ids = await withWorkers(world, { size: 12, tags: { 'drover.dev/max-leaving': '3' } });
    await run(
      world,
      deployment({
        name: 'web',
        replicas: 24,
        graceSeconds: 40,
        stopsAfterSeconds: 30,
      }),
    );
    for (const id of ids) terminate(world, id, { replace: true });
    let most = 0;
    await world.timeline.until(
      () => {
        most = Math.max(most, ids.filter((id) => markOf(world, id) !== undefined).length);
        return ids.every((id) => stateOf(world, id) === undefined);
      },
      { withinSeconds: 3600, what: 'all of them gone' },
    );
    expect(most).toBe(3);
    expect(asked.length).toBeGreaterThan(24);
    expect(asked).toHaveLength(new Set(asked).size);
  });

  it('is limited even if the groups were read moments before all of them began to leave', async () => {
    const world = createDroverWorld();
    const [earlier = ''] = await withWorkers(world, { size: 1, autoScalingGroupName: 'others' });
    const ids = await withWorkers(world, { size: 4, tags: { 'drover.dev/max-leaving': '1' } });
    await run(world, deployment({ name: 'web', replicas: 10, graceSeconds: 40 }));
    terminate(world, earlier, { replace: false });
    await world.timeline.pass(2);
    for (const id of ids) terminate(world, id, { replace: false });
    await world.timeline.pass(5);
    const leaving = ids.filter((id) => markOf(world, id) !== undefined);
    expect(leaving).toHaveLength(1);
  });
});

describe('the list of marked Nodes', () => {
  const asksWhoHasBegun = async (maxLeaving: number): Promise<boolean> => {
    const asked: string[] = [];
    const world = createDroverWorld({ weather: { onCall: ({ what }) => void asked.push(what) } });
    const tags = { 'drover.dev/max-leaving': String(maxLeaving) };
    const ids = await withWorkers(world, { size: 3, tags });
    for (const id of ids) terminate(world, id, { replace: false });
    for (const id of ids) await untilGone(world, id);
    return asked.some((what) => what.startsWith('GET /api/v1/nodes?') && what.includes('labelSelector'));
  };

  it('is read if not all instances may leave at once', async () => {
    expect(await asksWhoHasBegun(2)).toBe(true);
  });

  it('is not read if all instances may leave at once', async () => {
    expect(await asksWhoHasBegun(3)).toBe(false);
  });
});

describe('the instances of one Health event, which wait on no hook', () => {
  it('leave at most as many at once as the limit allows, and each gets its turn', async () => {
    const world = createDroverWorld();
    const ids = await withWorkers(world, {
      size: 6,
      hook: undefined,
      tags: { 'drover.dev/max-leaving': '1' },
    });
    await run(
      world,
      deployment({
        name: 'web',
        replicas: 12,
        graceSeconds: 40,
        stopsAfterSeconds: 30,
      }),
    );
    const announced = ids.slice(0, 4);
    world.account.ec2.accidents.healthEvent({ entities: announced });
    let most = 0;
    await world.timeline.until(
      () => {
        most = Math.max(most, ids.filter((id) => markOf(world, id) !== undefined).length);
        return announced.every((id) => stateOf(world, id) === undefined);
      },
      { withinSeconds: 3600, what: 'all of them gone' },
    );
    expect(most).toBe(1);
  });
});

describe('a drain that fails at its deadline', () => {
  const tags = {
    'drover.dev/drain-timeout': '2m',
    'drover.dev/on-failure': 'ABANDON',
    'drover.dev/delete-emptydir-data': 'false',
  };
  const refusing = deployment({
    name: 'cache',
    replicas: 2,
    graceSeconds: 5,
    pod: { volumes: [{ name: 'scratch', emptyDir: {} }] },
  });

  it('abandons the hook if the group says so, and a group that retains instances keeps this one', async () => {
    const world = createDroverWorld();
    const [leaving = ''] = await withWorkers(world, {
      size: 1,
      tags,
      settings: { InstanceLifecyclePolicy: { RetentionTriggers: { TerminateHookAbandon: 'retain' } } },
    });
    await run(world, refusing);
    const node = nodeNameOf(world, leaving);
    terminate(world, leaving, { replace: false });
    await untilSaid(world, leaving, /abandoned, as set: the group retains the instance/, 300);
    await world.timeline.pass(5);
    expect(stateOf(world, leaving)).toBe('Terminating:Retained');
    expect(nodesOf(world)).toContain(node);
    expect(podsOn(world, node)).toHaveLength(2);
    expect(eventsOn(world, node)).toContain('DrainFailed');
  });

  it('frees its slot for the next node, although the retained Node keeps its mark', async () => {
    const world = createDroverWorld();
    const ids = await withWorkers(world, {
      size: 3,
      tags: { ...tags, 'drover.dev/max-leaving': '1' },
      settings: { InstanceLifecyclePolicy: { RetentionTriggers: { TerminateHookAbandon: 'retain' } } },
    });
    await run(world, refusing);
    for (const id of ids) terminate(world, id, { replace: true });
    await world.timeline.until(() => ids.every((id) => stateOf(world, id) !== 'Terminating:Wait'), {
      withinSeconds: 900,
      what: 'the end of all waits',
    });
  });

  it('always continues on a group with an etcd hook, because ABANDON would end that wait too', async () => {
    const world = createDroverWorld();
    const [leaving = ''] = await withWorkers(world, { size: 1, tags });
    world.account.autoScaling.operations.PutLifecycleHook({
      AutoScalingGroupName: 'workers',
      LifecycleHookName: 'drover-etcd',
      LifecycleTransition: 'autoscaling:EC2_INSTANCE_TERMINATING',
      HeartbeatTimeout: 3600,
      DefaultResult: 'ABANDON',
    });
    await run(world, refusing);
    terminate(world, leaving, { replace: false });
    const node = nodeNameOf(world, leaving);
    await untilSaid(world, leaving, /its hook is completed.*ABANDON is taken as CONTINUE/, 300);
    // CONTINUE in all its parts: the pods that the settings refuse to evict are deleted with their grace before the Node is.
    expect(passesOf(world, leaving).at(-1)).not.toHaveProperty('drainFailed');
    expect(podsOn(world, node)).toHaveLength(0);
    await world.timeline.pass(30);
    expect(stateOf(world, leaving)).toBe('Terminating:Wait');
  });
});

describe('an instance that is a target of a load balancer', () => {
  it('stays on its hook until the target has drained', async () => {
    const world = createDroverWorld();
    const { TargetGroups } = world.account.loadBalancing.operations.CreateTargetGroup({
      Name: 'web',
      Protocol: 'HTTP',
      Port: 80,
      VpcId: 'vpc-0123456789abcdef0',
      TargetType: 'instance',
    });
    const TargetGroupARNs = [TargetGroups?.[0]?.TargetGroupArn ?? ''];
    const [leaving = ''] = await withWorkers(world, { size: 2, settings: { TargetGroupARNs } });
    terminate(world, leaving, { replace: false });
    await untilGone(world, leaving, 900);
    expect(nodesOf(world)).toHaveLength(1);
  });
});

describe('a mark that is left on a node whose instance stays', () => {
  it('is removed by the sweep together with Drover’s cordon, but not with a cordon that was there before', async () => {
    const world = createDroverWorld();
    const [staying = ''] = await withWorkers(world, {
      size: 2,
      spot: true,
      hook: undefined,
      tags: {
        'drover.dev/drain-timeout': '1m',
        'drover.dev/on-failure': 'ABANDON',
        'drover.dev/drain-on-rebalance': 'true',
        'drover.dev/delete-emptydir-data': 'false',
      },
    });
    await run(
      world,
      deployment({ name: 'cache', replicas: 4, pod: { volumes: [{ name: 'scratch', emptyDir: {} }] } }),
    );
    world.account.ec2.accidents.recommendRebalance(staying);
    await untilSaid(world, staying, /the drain has failed/, 300);
    expect(nodeObjectOf(world, staying)?.spec?.unschedulable).toBe(true);
    await untilSaid(world, staying, /is uncordoned/, 1200);
    expect(nodeObjectOf(world, staying)?.spec?.unschedulable).toBeUndefined();
    expect(markOf(world, staying)).toBeUndefined();
    expect(membersOf(world)).toHaveLength(2);
  });
});

describe('a pod with a grace longer than the drain timeout', () => {
  it('is deleted with as much grace as the hook’s global timeout allows', async () => {
    const world = createDroverWorld();
    const hook = { name: 'drover-node-leaving', heartbeatTimeoutSeconds: 30 };
    const tags = { 'drover.dev/drain-timeout': '10m' };
    const [leaving = ''] = await withWorkers(world, { size: 1, hook, tags });
    await run(world, deployment({ name: 'slow', replicas: 1, graceSeconds: 7200 }));
    const graceOf = () =>
      podsOn(world, nodeNameOf(world, leaving)).map(({ metadata }) => metadata?.deletionGracePeriodSeconds);
    terminate(world, leaving, { replace: false });
    await world.timeline.pass(5);
    const [grace = 0] = graceOf();
    expect(grace).toBeGreaterThan(2900);
    expect(grace).toBeLessThan(2970);
  });
});
