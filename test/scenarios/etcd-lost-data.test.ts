import { describe, expect, it } from 'vitest';
import { addEtcdGroup } from '../../local/etcd-group.ts';
import type { DroverWorld } from '../../local/world/drover-world.ts';
import { clustersOf, createEtcdDroverWorld } from '../../local/world/etcd/etcd-world.ts';
import { inService, lastProblem, untilWhole } from '../../local/world/etcd/expectations.ts';

/** Every member loses its data at once, and its unit starts it again. */
async function wipeAll(world: DroverWorld): Promise<void> {
  const members = inService(world);
  for (const instanceId of members) world.etcd.world.kill(instanceId);
  for (const instanceId of members) world.etcd.world.wipe(instanceId);
  for (const instanceId of members) world.etcd.world.start(instanceId);
  await world.timeline.pass(1800);
}

describe('members that all lose their data', () => {
  it.each([
    ['waited on the launch hook', ['launching', 'terminating']],
    ['never waited', ['terminating']],
  ] as const)('and %s form no second, empty cluster', async (_, hooks) => {
    const world = createEtcdDroverWorld();
    addEtcdGroup(world, { size: 3, hooks });
    const clusterId = await untilWhole(world, 3);
    await world.timeline.pass(600);
    await wipeAll(world);
    expect([...clustersOf(world)]).toEqual([]);
    expect(lastProblem(world)).toContain(`no member of cluster ${BigInt(clusterId).toString(16)} answers`);
  });
});
