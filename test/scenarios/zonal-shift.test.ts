import { describe, expect, it } from 'vitest';
import {
  createDroverWorld,
  type DroverWorld,
  membersOf,
  withWorkers,
} from '../../local/world/drover-world.ts';
import { operatorOf } from '../cli/operator.ts';
import { inService } from '../support/joining-world.ts';

const minute = 60;

/** Twelve workers in several zones whose group asks for repair, and a zonal shift away from the zone of the first one. */
async function shifted(ImpairedZoneHealthCheckBehavior: 'IgnoreUnhealthy' | 'ReplaceUnhealthy') {
  const world = createDroverWorld();
  await withWorkers(world, {
    size: 12,
    tags: { 'drover.dev/repair': 'NotReady=10m' },
    settings: {
      AvailabilityZoneImpairmentPolicy: { ZonalShiftEnabled: true, ImpairedZoneHealthCheckBehavior },
    },
  });
  const zone = membersOf(world)[0]?.AvailabilityZone ?? '';
  const away = idsIn(world, (one) => one === zone);
  const others = idsIn(world, (one) => one !== zone);
  expect(away.length).toBeGreaterThanOrEqual(3);
  expect(others.length).toBeGreaterThanOrEqual(3);
  world.account.autoScaling.controls.shiftZone('workers', zone);
  return {
    world,
    away,
    others,
    end: () => world.account.autoScaling.controls.shiftZone('workers', undefined),
  };
}

const idsIn = (world: DroverWorld, isZone: (zone: string) => boolean): readonly string[] =>
  membersOf(world).flatMap(({ InstanceId, AvailabilityZone = '' }) =>
    InstanceId !== undefined && isZone(AvailabilityZone) ? [InstanceId] : [],
  );

const unhealthy = (world: DroverWorld): readonly string[] =>
  membersOf(world).flatMap(({ InstanceId, HealthStatus }) =>
    HealthStatus === 'Unhealthy' && InstanceId !== undefined ? [InstanceId] : [],
  );

const isServing = (world: DroverWorld, id: string): boolean => inService(world).includes(id);

describe('during a zonal shift', () => {
  // https://github.com/kubernetes-sigs/karpenter/issues/2171, https://github.com/aws/containers-roadmap/issues/1140
  it('a zone whose nodes all fail is left as it is, whatever the group does with Unhealthy instances', async () => {
    for (const behaviour of ['IgnoreUnhealthy', 'ReplaceUnhealthy'] as const) {
      const { world, away } = await shifted(behaviour);
      for (const id of away) world.kubelets.get(id)?.stop();
      await world.timeline.pass(60 * minute);
      expect(unhealthy(world)).toEqual([]);
      expect(away.every((id) => isServing(world, id))).toBe(true);
    }
  });

  it('of a group that ignores Unhealthy instances, one failed node of the zone waits for its end, and status says so', async () => {
    const { world, away, others, end } = await shifted('IgnoreUnhealthy');
    const [first = '', second = ''] = away;
    const [other = ''] = others;
    for (const id of [first, second]) world.kubelets.get(id)?.stop();
    await world.timeline.pass(40 * minute);
    expect(unhealthy(world)).toHaveLength(1);
    const { out } = await operatorOf(world)('status');
    expect(out).toMatch(/bounded +one at a time: i-\w+ is Unhealthy, .*zonal shift/);
    // The other zones are repaired meanwhile, as Auto Scaling replaces there too.
    world.kubelets.get(other)?.stop();
    await world.timeline.pass(40 * minute);
    expect(isServing(world, other)).toBe(false);
    expect([first, second].every((id) => isServing(world, id))).toBe(true);
    end();
    await world.timeline.pass(120 * minute);
    expect([first, second].some((id) => isServing(world, id))).toBe(false);
    expect(inService(world)).toHaveLength(12);
  });

  it('of a group that replaces Unhealthy instances, a failed node of the zone is replaced in another one', async () => {
    const { world, away } = await shifted('ReplaceUnhealthy');
    const [failed = ''] = away;
    world.kubelets.get(failed)?.stop();
    await world.timeline.pass(60 * minute);
    expect(isServing(world, failed)).toBe(false);
    expect(inService(world)).toHaveLength(12);
  });
});
