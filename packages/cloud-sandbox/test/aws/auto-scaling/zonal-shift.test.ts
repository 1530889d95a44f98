import { expect, test } from 'vitest';
import { createCloud, createGroup, groupOf, membersOf } from '../support/cloud.ts';

function shifted(ImpairedZoneHealthCheckBehavior: 'IgnoreUnhealthy' | 'ReplaceUnhealthy') {
  const cloud = createCloud();
  const policy = { ZonalShiftEnabled: true, ImpairedZoneHealthCheckBehavior };
  createGroup(cloud, { DesiredCapacity: 3, AvailabilityZoneImpairmentPolicy: policy });
  const [away] = membersOf(cloud);
  if (away?.InstanceId === undefined || away.AvailabilityZone === undefined) throw new Error('no instance');
  cloud.autoScaling.controls.shiftZone('workers', away.AvailabilityZone);
  const setUnhealthy = (InstanceId: string): void =>
    void cloud.autoScaling.operations.SetInstanceHealth({ InstanceId, HealthStatus: 'Unhealthy' });
  const ids = () => membersOf(cloud).map(({ InstanceId }) => InstanceId);
  const zones = () => membersOf(cloud).map(({ AvailabilityZone }) => AvailabilityZone);
  return { cloud, setUnhealthy, ids, zones, id: away.InstanceId, zone: away.AvailabilityZone };
}

test('during a zonal shift nothing is launched in its zone, and afterwards zones are balanced again', () => {
  const { cloud, zones, zone } = shifted('ReplaceUnhealthy');
  cloud.autoScaling.operations.SetDesiredCapacity({ AutoScalingGroupName: 'workers', DesiredCapacity: 9 });
  cloud.advance(600);
  expect(zones().filter((one) => one === zone)).toHaveLength(1);
  expect(groupOf(cloud).Instances).toHaveLength(9);
  cloud.autoScaling.controls.shiftZone('workers', undefined);
  cloud.advance(1800);
  expect(zones().filter((one) => one === zone)).toHaveLength(3);
});

test('IgnoreUnhealthy keeps an Unhealthy instance of the zone until the shift ends', () => {
  const { cloud, setUnhealthy, ids, id } = shifted('IgnoreUnhealthy');
  setUnhealthy(id);
  cloud.advance(3600);
  expect(membersOf(cloud).find(({ InstanceId }) => InstanceId === id)?.HealthStatus).toBe('Unhealthy');
  cloud.autoScaling.controls.shiftZone('workers', undefined);
  cloud.advance(300);
  expect(ids()).not.toContain(id);
  expect(ids()).toHaveLength(3);
});

test('IgnoreUnhealthy replaces in the other zones, and ReplaceUnhealthy in all', () => {
  const ignoring = shifted('IgnoreUnhealthy');
  const other = ignoring.ids().find((one) => one !== ignoring.id) ?? '';
  ignoring.setUnhealthy(other);
  const replacing = shifted('ReplaceUnhealthy');
  replacing.setUnhealthy(replacing.id);
  for (const { cloud } of [ignoring, replacing]) cloud.advance(300);
  expect(ignoring.ids()).not.toContain(other);
  expect(replacing.ids()).not.toContain(replacing.id);
  expect(replacing.zones()).not.toContain(replacing.zone);
});

test('a group that has not opted in cannot be shifted', () => {
  const cloud = createCloud();
  createGroup(cloud);
  expect(() => cloud.autoScaling.controls.shiftZone('workers', 'eu-west-1a')).toThrow('not enabled');
});
