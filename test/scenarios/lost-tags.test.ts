import { describe, expect, it } from 'vitest';
import {
  clusterName,
  createDroverWorld,
  type DroverWorld,
  hookName,
  stateOf,
  terminate,
  withWorkers,
} from '../../local/world/drover-world.ts';
import { deployment, heldDeployment, podsOn, request, run } from '../../local/world/workloads.ts';
import {
  eventsOn,
  markOf,
  nodeNameOf,
  passesOf,
  untilGone,
  untilSaid,
} from '../support/observed-instance.ts';

const clusterTag = `kubernetes.io/cluster/${clusterName}`;
const roleTag = 'drover.dev/role';

const tagOf = (Key: string, Value: string) => ({
  ResourceId: 'workers',
  ResourceType: 'auto-scaling-group',
  Key,
  Value,
  PropagateAtLaunch: false,
});

/** What Terraform does to tags that it did not set. */
const removeTags = ({ account }: DroverWorld, ...keys: readonly string[]) =>
  account.autoScaling.operations.DeleteTags({ Tags: keys.map((key) => tagOf(key, '')) });

const restoreTags = ({ account }: DroverWorld) =>
  account.autoScaling.operations.CreateOrUpdateTags({
    Tags: [tagOf(clusterTag, 'owned'), tagOf(roleTag, 'worker')],
  });

const heldOn = (world: DroverWorld, node: string): number =>
  podsOn(world, node).filter(({ metadata }) => metadata?.name?.startsWith('held')).length;

const heartbeatTimeoutSeconds = 600;

/** A node that drains while its budget allows nothing, in a group that then loses tags. */
async function drainingNode(...lost: readonly string[]) {
  const world = createDroverWorld();
  const [leaving = ''] = await withWorkers(world, {
    size: 2,
    hook: { name: hookName, heartbeatTimeoutSeconds },
  });
  await run(world, ...heldDeployment({ name: 'held', replicas: 2, graceSeconds: 20 }));
  terminate(world, leaving, { replace: false });
  await untilSaid(world, leaving, /held/);
  await world.timeline.pass(300);
  const removedAt = world.clock.now();
  removeTags(world, ...lost);
  return { world, leaving, removedAt, node: nodeNameOf(world, leaving) };
}

describe('a group that loses the tag of the cluster while an instance waits', () => {
  it('is drained on by its budgets until the last accepted heartbeat ends, and the pass says when and what to do', async () => {
    const { world, leaving, removedAt, node } = await drainingNode(clusterTag);
    await untilSaid(world, leaving, /AWS denies the heartbeats for workers, so the wait ends at/, 60);
    const [said] = passesOf(world, leaving).filter(({ reason }) => /AWS denies/.test(String(reason)));
    expect(String(said?.reason)).toContain('aws autoscaling create-or-update-tags --tags');
    expect(String(said?.reason)).toContain(`Key=${clusterTag},Value=owned`);
    expect(eventsOn(world, node)).toContain('TagsLost');
    const before = heldOn(world, node);
    expect(before).toBeGreaterThan(0);
    const ends = Date.parse(markOf(world, leaving)?.waitEndsAt ?? '');
    expect(ends).toBeGreaterThan(removedAt);
    expect(ends).toBeLessThanOrEqual(removedAt + heartbeatTimeoutSeconds * 1000);
    await world.timeline.pass((ends - world.clock.now()) / 1000 - 60);
    expect(heldOn(world, node)).toBe(before);
    await untilGone(world, leaving, heartbeatTimeoutSeconds + 120);
    expect(world.clock.now()).toBeGreaterThan(removedAt);
    // The pods have had their grace: none runs to the end of its instance.
    expect(eventsOn(world, node)).toContain('DrainForced');
  });

  it('leaves at once when its pods are gone, without an answer that its leave is done', async () => {
    const world = createDroverWorld();
    const [leaving = ''] = await withWorkers(world, {
      size: 2,
      hook: { name: hookName, heartbeatTimeoutSeconds: 120 },
    });
    await run(world, deployment({ name: 'web', replicas: 4, graceSeconds: 60, stopsAfterSeconds: 40 }));
    terminate(world, leaving, { replace: false });
    await world.timeline.pass(15);
    removeTags(world, clusterTag, roleTag);
    await untilSaid(world, leaving, /drained and deleted; its hook cannot be completed/, 300);
    await untilGone(world, leaving, 300);
  });

  it('goes on as before once the tags are back', async () => {
    const { world, leaving } = await drainingNode(clusterTag, roleTag);
    await untilSaid(world, leaving, /AWS denies/, 60);
    restoreTags(world);
    await world.timeline.pass(60);
    expect(markOf(world, leaving)?.waitEndsAt).toBeUndefined();
    await world.timeline.pass(2 * heartbeatTimeoutSeconds);
    expect(stateOf(world, leaving)).toBe('Terminating:Wait');
  });
});

describe('a group that loses its role while an instance waits', () => {
  it('keeps the wait until the drain ends, because AWS still permits the calls', async () => {
    const { world, leaving } = await drainingNode(roleTag);
    await untilSaid(world, leaving, /has lost the tag drover.dev.role/, 60);
    await world.timeline.pass(2 * heartbeatTimeoutSeconds);
    expect(stateOf(world, leaving)).toBe('Terminating:Wait');
    expect(markOf(world, leaving)?.waitEndsAt).toBeUndefined();
    await untilSaid(world, leaving, /its hook is completed/, 1800);
  });
});

describe('a group with the tags of two clusters', () => {
  const secondTag = 'kubernetes.io/cluster/other';
  const worldOfTwo = async () => {
    const world = createDroverWorld();
    const [leaving = ''] = await withWorkers(world, { size: 2 });
    world.account.autoScaling.operations.CreateOrUpdateTags({ Tags: [tagOf(secondTag, 'owned')] });
    return { world, leaving };
  };

  it('keeps an instance that is a Node of the other one, until its drain ends the wait or the tag is gone', async () => {
    const { world, leaving } = await worldOfTwo();
    await request(world, 'DELETE', `/api/v1/nodes/${nodeNameOf(world, leaving)}`);
    terminate(world, leaving, { replace: false });
    await untilSaid(world, leaving, /also has the tag of cluster other, which may drain it/);
    await world.timeline.pass(6 * 3600);
    expect(stateOf(world, leaving)).toBe('Terminating:Wait');
    removeTags(world, secondTag);
    await untilGone(world, leaving, 300);
  });

  it('drains an instance that is a Node of this one, and ends its wait', async () => {
    const { world, leaving } = await worldOfTwo();
    await run(world, deployment({ name: 'web', replicas: 4, graceSeconds: 2 }));
    terminate(world, leaving, { replace: false });
    await untilGone(world, leaving, 600);
  });
});
