import { describe, expect, it } from 'vitest';
import {
  createDroverWorld,
  type DroverWorld,
  membersOf,
  withWorkers,
} from '../../local/world/drover-world.ts';
import { boundsOf, putHold, serving } from '../../local/world/holds.ts';
import { request } from '../../local/world/workloads.ts';

const minute = 60;
const letters = (world: DroverWorld): string =>
  membersOf(world)
    .map(({ AvailabilityZone = '' }) => AvailabilityZone.at(-1))
    .toSorted((one, other) => (one ?? '').localeCompare(other ?? ''))
    .join('');

/** Six nodes in three zones that a hold has raised from one; those of the zones have a pod of their own. */
async function heldInZones(busy: readonly string[]): Promise<DroverWorld> {
  const world = createDroverWorld();
  await withWorkers(world, {
    size: 1,
    tags: { 'drover.dev/give-back-empty': 'true' },
    settings: { MinSize: 1, MaxSize: 9 },
  });
  putHold(world, { nodes: 6, minutes: 15 });
  await world.timeline.until(() => serving(world) === 6, { withinSeconds: 300, what: 'the nodes' });
  await world.timeline.pass(minute);
  expect(letters(world)).toBe('aabbcc');
  const left = [...busy];
  for (const { AvailabilityZone = '', InstanceId = '' } of membersOf(world)) {
    const place = left.indexOf(AvailabilityZone.at(-1) ?? '');
    if (place === -1) continue;
    left.splice(place, 1);
    await request(world, 'POST', '/api/v1/namespaces/default/pods', podOn(nodeOf(world, InstanceId), place));
  }
  return world;
}

const nodeOf = ({ kubernetes }: DroverWorld, instanceId: string): string =>
  kubernetes.store
    .of('nodes')
    .list()
    .find(({ spec }) => spec?.providerID?.endsWith(instanceId))?.metadata.name ?? '';

const podOn = (nodeName: string, number: number) => ({
  apiVersion: 'v1',
  kind: 'Pod',
  metadata: { name: `pod-${number}-${nodeName}`, namespace: 'default' },
  spec: { nodeName, containers: [{ name: 'main', image: 'registry.example/app:1' }] },
});

const pods = ({ kubernetes }: DroverWorld): number => kubernetes.store.of('pods').list().length;

const suspend = ({ account }: DroverWorld, process: string): void =>
  void account.autoScaling.operations.SuspendProcesses({
    AutoScalingGroupName: 'workers',
    ScalingProcesses: [process],
  });

describe('giving back in a group of several zones', () => {
  it('never makes zones so unbalanced that Auto Scaling terminates a node that serves', async () => {
    const world = await heldInZones(['a', 'a', 'b']);
    await world.timeline.pass(90 * minute);
    expect(pods(world)).toBe(3);
    expect(letters(world)).toBe('aabc');
    expect(boundsOf(world)).toMatchObject({ minSize: 1, desiredCapacity: 4 });
    expect(JSON.stringify(world.lines)).toContain('zones would be unbalanced');
  });

  it('takes nodes of any zone if AZRebalance is suspended', async () => {
    const world = await heldInZones(['a', 'a', 'b']);
    suspend(world, 'AZRebalance');
    await world.timeline.pass(90 * minute);
    expect(pods(world)).toBe(3);
    expect(letters(world)).toBe('aab');
  });

  it.each(['Launch', 'Terminate'])(
    'keeps every node while the group suspends %s, and says so',
    async (process) => {
      const world = await heldInZones(['a']);
      suspend(world, process);
      await world.timeline.pass(40 * minute);
      expect(serving(world)).toBe(6);
      expect(JSON.stringify(world.lines)).toContain(`its group suspends ${process}`);
    },
  );
});
