import { describe, expect, it } from 'vitest';
import { hookName } from '../../local/names.ts';
import {
  createDroverWorld,
  type DroverWorld,
  membersOf,
  stateOf,
  terminate,
  withWorkers,
} from '../../local/world/drover-world.ts';
import { barePod, deployment, podsOn, request, run } from '../../local/world/workloads.ts';
import { isNodeReady } from '../../shared/nodes/node-condition.ts';
import { excludeFromLoadBalancersLabel, rollingAnnotation } from '../../shared/nodes/node-keys.ts';
import { formatRollingMark } from '../../shared/nodes/rolling-mark.ts';
import {
  eventsOn,
  markOf,
  nodeNameOf,
  nodeObjectOf,
  passesOf,
  untilGone,
  untilSaid,
} from '../support/observed-instance.ts';

const tags = { 'drover.dev/await-replacement': 'true', 'drover.dev/drain-timeout': '10m' };
const group = 'workers';

async function openGroup(plan: Partial<Parameters<typeof withWorkers>[1]> = {}) {
  const world = createDroverWorld();
  const ids = await withWorkers(world, { size: 3, tags, settings: { MaxSize: 3 }, ...plan });
  await run(world, deployment({ name: 'web', replicas: 6 }));
  return { world, ids };
}

const setCapacity = ({ account }: DroverWorld, available: boolean): void => {
  for (const { availabilityZone } of account.ec2.instances.subnets())
    account.ec2.accidents.setCapacity({ instanceType: 'm5.large', availabilityZone, available });
};

/** Nodes that have pods, or could take them: Ready, and not excluded from load balancers by a drain. */
const serving = ({ kubernetes }: DroverWorld): number =>
  kubernetes.store
    .of('nodes')
    .list()
    .filter(
      (node) => isNodeReady(node) && node.metadata?.labels?.[excludeFromLoadBalancersLabel] === undefined,
    ).length;

/** Lets time pass until the instances have gone, and returns how many nodes served at least. */
async function fewestUntilGone(world: DroverWorld, ids: readonly string[], withinSeconds = 3600) {
  let fewest = Infinity;
  await world.timeline.until(
    () => {
      fewest = Math.min(fewest, serving(world));
      return ids.every((id) => stateOf(world, id) === undefined);
    },
    { withinSeconds, what: 'all of them replaced' },
  );
  return fewest;
}

/** Changes a Node as a roll does; null removes the annotation. */
const patchNode = (world: DroverWorld, instanceId: string, mark: string | null) =>
  request(world, 'PATCH', `/api/v1/nodes/${nodeNameOf(world, instanceId)}`, {
    metadata: { annotations: { [rollingAnnotation]: mark } },
    spec: { unschedulable: true },
  });

const markRolling = (world: DroverWorld, instanceId: string, waits: boolean) => {
  const at = new Date(world.clock.now()).toISOString();
  return patchNode(world, instanceId, formatRollingMark({ roll: 'image', at, waits, wasCordoned: false }));
};

describe('a worker of a group that awaits replacements', () => {
  // aws-node-termination-handler#465: an instance refresh drains a node minutes before the new one can take its pods.
  it('is cordoned at once, and drained once its replacement is Ready; its load balancers keep it until then', async () => {
    const { world, ids } = await openGroup();
    const [first = ''] = ids;
    setCapacity(world, false);
    const name = nodeNameOf(world, first);
    const before = podsOn(world, name).length;
    terminate(world, first);
    await untilSaid(world, first, /waits for its replacement/);
    await world.timeline.pass(1200);
    expect(podsOn(world, name)).toHaveLength(before);
    expect(nodeObjectOf(world, first)?.spec?.unschedulable).toBe(true);
    expect(nodeObjectOf(world, first)?.metadata?.labels?.[excludeFromLoadBalancersLabel]).toBeUndefined();
    expect(markOf(world, first)).toMatchObject({
      awaiting: 'replacement',
      waitingFor: ['its replacement: 1 more of the 3 instances of workers must serve, of which 2 do'],
    });
    expect(markOf(world, first)?.until).toBeUndefined();
    setCapacity(world, true);
    expect(await fewestUntilGone(world, [first])).toBe(3);
    expect(eventsOn(world, name)).toEqual(expect.arrayContaining(['AwaitingReplacement', 'NodeLeaving']));
    expect(world.problems).toEqual([]);
  });

  // NTH #476, of a node that is not drained yet.
  it('is cordoned again if something else uncordons it while it waits', async () => {
    const { world, ids } = await openGroup({ hook: { name: hookName, heartbeatTimeoutSeconds: 3600 } });
    const [first = ''] = ids;
    setCapacity(world, false);
    terminate(world, first);
    await untilSaid(world, first, /waits for its replacement/);
    const name = nodeNameOf(world, first);
    await request(world, 'PATCH', `/api/v1/nodes/${name}`, { spec: { unschedulable: null } });
    await world.timeline.pass(30);
    expect(nodeObjectOf(world, first)?.spec?.unschedulable).toBe(true);
    expect(eventsOn(world, name)).toContain('NodeCordonedAgain');
    expect(markOf(world, first)?.awaiting).toBe('replacement');
    expect(world.problems).toEqual([]);
  });

  it('has its whole drain timeout after the wait', async () => {
    const { world, ids } = await openGroup();
    const [first = ''] = ids;
    setCapacity(world, false);
    terminate(world, first);
    const leftAt = world.clock.now();
    await world.timeline.pass(1200);
    setCapacity(world, true);
    await world.timeline.until(() => markOf(world, first)?.until !== undefined, {
      withinSeconds: 900,
      what: 'the drain',
    });
    const mark = markOf(world, first);
    expect(mark?.awaiting).toBeUndefined();
    expect(Date.parse(mark?.since ?? '')).toBeGreaterThan(leftAt + 1_200_000);
    expect(Date.parse(mark?.until ?? '') - Date.parse(mark?.since ?? '')).toBe(600_000);
    expect(Date.parse(mark?.awaitedSince ?? '')).toBeLessThan(leftAt + 60_000);
    expect(eventsOn(world, nodeNameOf(world, first))).not.toContain('DrainForced');
  });

  it.each([1, 3])('keeps the desired capacity if %i leave at once', async (count) => {
    const { world, ids } = await openGroup();
    const leaving = ids.slice(0, count);
    for (const id of leaving) terminate(world, id);
    expect(await fewestUntilGone(world, leaving)).toBe(3);
    expect(membersOf(world, group)).toHaveLength(3);
    expect(world.problems).toEqual([]);
  });

  it('is drained at once if the desired capacity is lowered, before or meanwhile', async () => {
    const { world, ids } = await openGroup();
    const [first = '', second = ''] = ids;
    terminate(world, first, { replace: false });
    expect(await untilGone(world, first, 600)).toBeLessThan(300);
    expect(passesOf(world, first).some(({ reason }) => /replacement/.test(String(reason)))).toBe(false);
    setCapacity(world, false);
    terminate(world, second);
    await untilSaid(world, second, /waits for its replacement/);
    await world.timeline.pass(600);
    expect(stateOf(world, second)).toBe('Terminating:Wait');
    world.account.autoScaling.operations.UpdateAutoScalingGroup({
      AutoScalingGroupName: group,
      DesiredCapacity: 1,
    });
    await untilGone(world, second, 300);
  });

  it('is drained before the hook ends its wait, although no launch succeeds, and says why', async () => {
    const { world, ids } = await openGroup({ hook: { name: hookName, heartbeatTimeoutSeconds: 30 } });
    const [first = ''] = ids;
    const name = nodeNameOf(world, first);
    setCapacity(world, false);
    terminate(world, first);
    const seconds = await untilGone(world, first, 3100);
    // 100 heartbeat timeouts of 30 s, less the drain timeout.
    expect(seconds).toBeGreaterThan(3000 - 660);
    expect(seconds).toBeLessThan(3000 - 30);
    expect(passesOf(world, first).map(({ reason }) => String(reason))).toContainEqual(
      expect.stringContaining(
        'its replacement is not awaited: the wait on its hook ends soon, and the drain needs the rest of it',
      ),
    );
    expect(eventsOn(world, name)).toContain('ReplacementNotAwaited');
    expect(podsOn(world, name)).toEqual([]);
  });

  it('does not wait if its node has failed: nothing serves there', async () => {
    const { world, ids } = await openGroup();
    const [first = ''] = ids;
    setCapacity(world, false);
    world.kubelets.get(first)?.stop();
    await world.timeline.pass(120);
    terminate(world, first);
    await untilGone(world, first, 1200);
    expect(passesOf(world, first).map(({ reason }) => String(reason))).toContainEqual(
      expect.stringContaining('its replacement is not awaited: its node is not Ready'),
    );
  });

  it('is drained at once if a Spot interruption comes while it waits', async () => {
    const { world, ids } = await openGroup({ spot: true });
    const [first = ''] = ids;
    setCapacity(world, false);
    terminate(world, first);
    await untilSaid(world, first, /waits for its replacement/);
    world.account.ec2.accidents.interruptSpot(first);
    expect(await untilGone(world, first, 600)).toBeLessThan(180);
    expect(passesOf(world, first).map(({ reason }) => String(reason))).toContainEqual(
      expect.stringContaining('its replacement is not awaited: EC2 takes the instance'),
    );
  });

  it('is drained at once if the group no longer launches', async () => {
    const { world, ids } = await openGroup();
    const [first = ''] = ids;
    setCapacity(world, false);
    terminate(world, first);
    await untilSaid(world, first, /waits for its replacement/);
    world.account.autoScaling.operations.SuspendProcesses({
      AutoScalingGroupName: group,
      ScalingProcesses: ['Launch'],
    });
    expect(await untilGone(world, first, 600)).toBeLessThan(180);
  });

  it('leaves the slots of other groups free while its launches fail', async () => {
    const { world, ids } = await openGroup({ tags: { ...tags, 'drover.dev/max-leaving': '1' } });
    setCapacity(world, false);
    for (const id of ids) terminate(world, id);
    await world.timeline.pass(600);
    for (const id of ids) expect(markOf(world, id)?.awaiting).toBe('replacement');
    setCapacity(world, true);
    let most = 0;
    await world.timeline.until(
      () => {
        const draining = ids.filter((id) => markOf(world, id)?.until !== undefined);
        most = Math.max(most, draining.length);
        return ids.every((id) => stateOf(world, id) === undefined);
      },
      { withinSeconds: 3600, what: 'all of them replaced' },
    );
    expect(most).toBe(1);
  });
});

describe('a node that a roll has marked', () => {
  it('waits for its replacement without a tag, and keeps waiting after the roll has released it', async () => {
    const { world, ids } = await openGroup({ tags: {} });
    const [first = ''] = ids;
    setCapacity(world, false);
    await markRolling(world, first, true);
    terminate(world, first);
    await untilSaid(world, first, /waits for its replacement/);
    await patchNode(world, first, null);
    await world.timeline.pass(1200);
    expect(markOf(world, first)).toMatchObject({ awaiting: 'replacement', ofRoll: true });
    setCapacity(world, true);
    expect(await fewestUntilGone(world, [first])).toBe(3);
  });

  it('is drained without waiting if the roll lets it be unavailable', async () => {
    const { world, ids } = await openGroup({ tags: {} });
    const [first = ''] = ids;
    setCapacity(world, false);
    await markRolling(world, first, false);
    terminate(world, first);
    expect(await untilGone(world, first, 600)).toBeLessThan(300);
  });

  // kubernetes-sigs/karpenter#1168 and #5786 of its provider: jobs are interrupted although their pods ask not to be.
  it('keeps the pod of a job that asks to finish, and lets the others go', async () => {
    const { world, ids } = await openGroup({ tags: { 'drover.dev/drain-timeout': '5m' } });
    const [first = ''] = ids;
    const name = nodeNameOf(world, first);
    const job = barePod('import', { nodeName: name });
    const annotations = { 'karpenter.sh/do-not-disrupt': '45m' };
    const asking = { ...job, metadata: { ...job.metadata, annotations } };
    await run(world, asking);
    const startedAt = world.clock.now();
    await markRolling(world, first, true);
    terminate(world, first);
    await world.timeline.until(() => podsOn(world, name).length === 1, {
      withinSeconds: 900,
      what: 'the end of the other pods',
    });
    await world.timeline.pass(1500);
    expect(podsOn(world, name).map((pod) => pod.metadata?.name)).toEqual(['import']);
    expect(markOf(world, first)?.waitingFor[0]).toMatch(
      /^default\/import \(annotation karpenter\.sh\/do-not-disrupt=45m until 2026-/,
    );
    await untilGone(world, first, 3600);
    expect((world.clock.now() - startedAt) / 60_000).toBeGreaterThan(44);
    expect((world.clock.now() - startedAt) / 60_000).toBeLessThan(49);
    expect(eventsOn(world, name)).not.toContain('DrainForced');
  });
});
