import type { CallInFlight, Strike } from '@drover/cloud-sandbox';
import { AwsError } from '@drover/cloud-sandbox/aws';
import { describe, expect, it } from 'vitest';
import {
  createDroverWorld,
  type DroverWorld,
  type DroverWorldOptions,
  membersOf,
  withWorkers,
} from '../../local/world/drover-world.ts';
import { boundsOf, holdParameters, putHold, serving } from '../../local/world/holds.ts';
import { create, daemonSet, deployment, podsOn, request, run } from '../../local/world/workloads.ts';
import { givingBackAnnotation } from '../../shared/nodes/node-keys.ts';

const minute = 60;
const tags = { 'drover.dev/give-back-empty': 'true' };

/** A group of one worker that a hold has raised to three, ten minutes before its end. */
async function heldWorld(
  options: DroverWorldOptions & { readonly groupTags?: Readonly<Record<string, string>> } = {},
): Promise<DroverWorld> {
  const { groupTags = tags, ...others } = options;
  const world = createDroverWorld(others);
  await withWorkers(world, { size: 1, tags: groupTags, settings: { MinSize: 1, MaxSize: 5 } });
  putHold(world, { nodes: 3, minutes: 15 });
  await create(world, daemonSet({ name: 'agent' }));
  await world.timeline.until(() => serving(world) === 3, { withinSeconds: 300, what: 'the nodes' });
  await world.timeline.pass(minute);
  return world;
}

const nodes = ({ kubernetes }: DroverWorld) => kubernetes.store.of('nodes').list();

const cordoned = (world: DroverWorld): readonly string[] =>
  nodes(world)
    .filter(
      ({ metadata, spec }) =>
        spec?.unschedulable === true || metadata.annotations?.[givingBackAnnotation] !== undefined,
    )
    .map(({ metadata }) => metadata.name);

const reasons = ({ lines }: DroverWorld): string =>
  lines
    .map(({ reason }) => String(reason))
    .filter((reason) => reason.includes('given back'))
    .join('\n');

describe('a group whose tag asks that empty nodes are given back', () => {
  it('has its base again minutes after the hold: one node after the other is drained and terminated', async () => {
    const world = await heldWorld();
    await world.timeline.until(() => boundsOf(world).minSize === 1, { withinSeconds: 1200, what: 'the end' });
    let fewest = 3;
    const seen = new Set<number>();
    await world.timeline.until(
      () => {
        seen.add(boundsOf(world).desiredCapacity ?? 0);
        fewest = Math.min(fewest, serving(world));
        return nodes(world).length === 1 && holdParameters(world).length === 0;
      },
      { withinSeconds: 900, what: 'the base' },
    );
    expect([...seen]).toEqual([3, 2, 1]);
    expect(fewest).toBe(1);
    expect(boundsOf(world)).toEqual({ minSize: 1, maxSize: 5, desiredCapacity: 1 });
    await world.timeline.pass(70 * minute);
    expect(serving(world)).toBe(1);
    expect(cordoned(world)).toEqual([]);
    expect(world.problems).toEqual([]);
  });

  it('keeps the nodes that pods run on, and gives them back when they have become empty', async () => {
    const world = await heldWorld();
    await run(world, deployment({ name: 'web', replicas: 9 }));
    const before = new Set(
      world.kubernetes.store
        .of('pods')
        .list()
        .map(({ metadata }) => metadata.uid),
    );
    await world.timeline.pass(30 * minute);
    expect(boundsOf(world)).toMatchObject({ minSize: 1, desiredCapacity: 3 });
    expect(reasons(world)).toContain('none of the nodes checked is empty');
    expect(
      world.kubernetes.store
        .of('pods')
        .list()
        .every(({ metadata }) => before.has(metadata.uid)),
    ).toBe(true);
    await request(world, 'DELETE', '/apis/apps/v1/namespaces/default/deployments/web');
    await world.timeline.until(() => serving(world) === 1, { withinSeconds: 900, what: 'the base' });
    expect(boundsOf(world).desiredCapacity).toBe(1);
  });

  it('keeps its nodes if it is paused, or if the leaving hook is missing', async () => {
    const paused = await heldWorld();
    paused.account.autoScaling.operations.CreateOrUpdateTags({
      Tags: [
        {
          ResourceId: 'workers',
          ResourceType: 'auto-scaling-group',
          Key: 'drover.dev/paused',
          Value: 'true',
        },
      ],
    });
    await paused.timeline.pass(30 * minute);
    expect(boundsOf(paused).desiredCapacity).toBe(3);
    const unhooked = await heldWorld();
    unhooked.account.autoScaling.operations.DeleteLifecycleHook({
      AutoScalingGroupName: 'workers',
      LifecycleHookName: 'drover-node-leaving',
    });
    await unhooked.timeline.pass(30 * minute);
    expect(boundsOf(unhooked).desiredCapacity).toBe(3);
    expect(reasons(unhooked)).toContain('lacks the hook');
  });

  it('keeps its nodes while the cluster cannot be read, says so, and does not act on old requests afterwards', async () => {
    let away = false;
    const strike = ({ caller, to }: CallInFlight): Strike | undefined =>
      away && caller === 'node-leaving' && to === 'kubernetes' ? { kind: 'fail-before' } : undefined;
    const world = await heldWorld({ weather: { strike } });
    away = true;
    await world.timeline.pass(95 * minute);
    expect(boundsOf(world).desiredCapacity).toBe(3);
    expect(
      world.lines.some(({ subject, level }) => String(subject).startsWith('giving-back') && level !== 'info'),
    ).toBe(true);
    away = false;
    await world.timeline.pass(30 * minute);
    expect(boundsOf(world).desiredCapacity).toBe(3);
    expect(reasons(world)).toContain('the request is too old');
  });

  it('keeps a node on which a pod is placed while it is being cordoned', async () => {
    let landed: string | undefined;
    const strike = ({ caller, what }: CallInFlight): Strike | undefined => {
      const [, node] = /^PATCH \/api\/v1\/nodes\/(.+)$/.exec(what) ?? [];
      if (caller !== 'node-leaving' || node === undefined || landed !== undefined) return undefined;
      landed = node;
      void request(world, 'POST', '/api/v1/namespaces/default/pods', podOn(node));
      return undefined;
    };
    const world: DroverWorld = await heldWorld({ weather: { strike } });
    await world.timeline.until(() => reasons(world).includes('a pod has just been placed on it'), {
      withinSeconds: 30 * minute,
      what: 'the pod seen',
    });
    expect(cordoned(world)).toEqual([]);
    await world.timeline.pass(20 * minute);
    expect(landed).toBeDefined();
    expect(podsOn(world, landed ?? '').some(({ metadata }) => metadata?.name === 'latecomer')).toBe(true);
    expect(cordoned(world)).toEqual([]);
    expect(boundsOf(world).desiredCapacity).toBe(1);
  });

  it.each<[string, (world: DroverWorld, instanceId: string) => void]>([
    [
      'is protected from scale-in',
      ({ account }, instanceId) =>
        account.autoScaling.operations.SetInstanceProtection({
          AutoScalingGroupName: 'workers',
          InstanceIds: [instanceId],
          ProtectedFromScaleIn: true,
        }),
    ],
    [
      'is put into Standby',
      ({ account }, instanceId) =>
        account.autoScaling.operations.EnterStandby({
          AutoScalingGroupName: 'workers',
          InstanceIds: [instanceId],
          ShouldDecrementDesiredCapacity: true,
        }),
    ],
  ])('keeps an instance that %s while its node is being cordoned', async (_, keep) => {
    let kept: string | undefined;
    const strike = ({ caller, what }: CallInFlight): Strike | undefined => {
      const [, name] = /^PATCH \/api\/v1\/nodes\/(.+)$/.exec(what) ?? [];
      if (caller !== 'node-leaving' || name === undefined || kept !== undefined) return undefined;
      const node = nodes(world).find(({ metadata }) => metadata.name === name);
      kept = node?.spec?.providerID?.split('/').at(-1) ?? raise();
      keep(world, kept);
      return undefined;
    };
    const world: DroverWorld = await heldWorld({ weather: { strike } });
    await world.timeline.pass(30 * minute);
    expect(membersOf(world).find(({ InstanceId }) => InstanceId === kept)?.LifecycleState).toMatch(
      /^(InService|Standby)$/,
    );
    expect(cordoned(world)).toEqual([]);
  });

  it.each([
    ['denies', 'AccessDenied', /AccessDenied|not now/],
    ['refuses', 'ValidationError', /is not given back: not now/],
  ])('has a node uncordoned by the very pass whose termination AWS %s', async (_, code, words) => {
    let refused = 0;
    const strike = ({ what }: CallInFlight): Strike | undefined => {
      if (!what.endsWith('TerminateInstanceInAutoScalingGroup')) return undefined;
      refused += 1;
      return { kind: 'aws-error', error: new AwsError({ code, message: 'not now', statusCode: 403 }) };
    };
    const world = await heldWorld({ weather: { strike } });
    await world.timeline.until(() => refused > 0 && cordoned(world).length === 0, {
      withinSeconds: 25 * minute,
      what: 'no cordoned node',
    });
    expect(refused).toBe(1);
    expect(JSON.stringify(world.lines)).toMatch(words);
    expect(boundsOf(world).desiredCapacity).toBe(3);
  });

  it('keeps a node cordoned if Auto Scaling reports an activity in progress, which may be its termination', async () => {
    const strike = ({ what }: CallInFlight): Strike | undefined =>
      what.endsWith('TerminateInstanceInAutoScalingGroup')
        ? {
            kind: 'aws-error',
            error: new AwsError({ code: 'ScalingActivityInProgress', message: 'Activity 1 is in progress.' }),
          }
        : undefined;
    const world = await heldWorld({ weather: { strike } });
    const isSaid = () => reasons(world).includes('Activity 1 is in progress');
    await world.timeline.until(isSaid, { withinSeconds: 25 * minute, what: 'the answer' });
    expect(cordoned(world)).toHaveLength(1);
    await world.timeline.pass(90 * minute);
    expect(cordoned(world)).toEqual([]);
    expect(boundsOf(world).desiredCapacity).toBe(3);
  });

  it('never has fewer nodes than its base while requested launches fail', async () => {
    const world = await heldWorld();
    for (const zone of ['a', 'b', 'c'])
      world.account.ec2.accidents.setCapacity({
        instanceType: 'm5.large',
        availabilityZone: `eu-west-1${zone}`,
        available: false,
      });
    world.account.autoScaling.operations.SetDesiredCapacity({
      AutoScalingGroupName: 'workers',
      DesiredCapacity: 5,
    });
    let fewest = 3;
    for (let passed = 0; passed < 40; passed += 1) {
      await world.timeline.pass(minute);
      fewest = Math.min(fewest, serving(world));
    }
    expect(boundsOf(world)).toMatchObject({ minSize: 1, desiredCapacity: 5 });
    expect(fewest).toBe(3);
    expect(reasons(world)).toContain('only 3 of 5 instances are in service');
  });

  it('keeps the node of a pod that only an up-to-date read of the pods shows', async () => {
    let staleSeconds = 0;
    const world = await heldWorld({
      weather: { staleSeconds: ({ to }) => (to === 'kubernetes' ? staleSeconds : 0) },
    });
    await world.timeline.until(() => boundsOf(world).minSize === 1, { withinSeconds: 1200, what: 'the end' });
    await run(world, deployment({ name: 'web', replicas: 9 }));
    staleSeconds = 3600;
    await world.timeline.pass(30 * minute);
    expect(boundsOf(world).desiredCapacity).toBe(3);
  });

  it('has the sweep uncordon a node that a killed pass left reserved, even if the setting is off by then', async () => {
    const world = createDroverWorld();
    await withWorkers(world, { size: 2, settings: { MinSize: 1, MaxSize: 5 } });
    const [node] = nodes(world);
    const annotations = { [givingBackAnnotation]: new Date(world.clock.now()).toISOString() };
    world.kubernetes.registry.update('nodes', node ?? raise(), (found) => ({
      ...found,
      metadata: { ...found.metadata, annotations: { ...found.metadata.annotations, ...annotations } },
      spec: { ...found.spec, unschedulable: true },
    }));
    expect(cordoned(world)).toHaveLength(1);
    await world.timeline.pass(10 * minute);
    expect(cordoned(world)).toEqual([]);
    expect(reasons(world)).toContain('its reservation was left behind');
    expect(serving(world)).toBe(2);
    expect(world.problems).toEqual([]);
  });
});

const raise = (): never => {
  throw new Error('there is no node');
};

const podOn = (nodeName: string) => ({
  apiVersion: 'v1',
  kind: 'Pod',
  metadata: { name: 'latecomer', namespace: 'default' },
  spec: { nodeName, containers: [{ name: 'main', image: 'registry.example/app:1' }] },
});

/** Gives whether there was a call of that number to fail. */
async function giveBackWith(
  nth: number,
  kind: 'kill-before' | 'kill-after' | 'fail-after',
): Promise<boolean> {
  let seen = 0;
  let counts = false;
  const open: string[] = [];
  const strike = ({ caller, what }: CallInFlight): Strike | undefined => {
    if (caller !== 'node-leaving' || !counts) return undefined;
    seen += 1;
    if (what.endsWith('TerminateInstanceInAutoScalingGroup') && cordoned(world).length === 0) open.push(what);
    return seen === nth ? { kind } : undefined;
  };
  const world: DroverWorld = await heldWorld({ weather: { strike } });
  counts = true;
  const what = `the base after ${kind} of call ${nth}`;
  await world.timeline.until(
    () => serving(world) === 1 && nodes(world).length === 1 && cordoned(world).length === 0,
    { withinSeconds: 45 * minute, what },
  );
  expect(boundsOf(world)).toMatchObject({ minSize: 1, desiredCapacity: 1 });
  expect(open).toEqual([]);
  return seen >= nth;
}

/** The calls of the first node; those of the second are the same. */
const struckCalls = 9;

it.each(['kill-before', 'kill-after', 'fail-after'] as const)(
  'empty nodes are given back when any one call of node-leaving meets %s',
  { timeout: 600_000 },
  async (kind) => {
    for (let nth = 1; nth <= struckCalls; nth += 1) expect(await giveBackWith(nth, kind)).toBe(true);
  },
);
