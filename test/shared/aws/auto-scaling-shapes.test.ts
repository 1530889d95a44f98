import type { AutoScalingGroup } from '@aws-sdk/client-auto-scaling';
import { expect, it } from 'vitest';
import { toGroup, toGroupInstance } from '../../../shared/aws/auto-scaling.ts';

const answer: Partial<AutoScalingGroup> = { AutoScalingGroupName: 'workers', Tags: [], Instances: [] };
const group = (changes: Partial<AutoScalingGroup> = {}) =>
  toGroup({ ...answer, ...changes } as AutoScalingGroup, {});

const weighing = (...weights: readonly (string | undefined)[]): Partial<AutoScalingGroup> => ({
  MixedInstancesPolicy: {
    LaunchTemplate: {
      Overrides: weights.map((WeightedCapacity) => ({ InstanceType: 'm5.large', WeightedCapacity })),
    },
  },
});

it.each<[string, Partial<AutoScalingGroup>, true | undefined]>([
  ['no policy', {}, undefined],
  ['types without weights', weighing(undefined, undefined), undefined],
  ['types that weigh one each', weighing('1', '1'), undefined],
  ['a type with a weight', weighing('1', '4'), true],
  ['units as the type of its capacity', { DesiredCapacityType: 'units' }, undefined],
  ['a capacity of vCPUs', { DesiredCapacityType: 'vcpu' }, true],
  ['a capacity of memory', { DesiredCapacityType: 'memory-mib' }, true],
  [
    'an instance that still has the weight of an earlier policy',
    { Instances: [{ WeightedCapacity: '2' } as never] },
    true,
  ],
])('a group with %s counts units of capacity: %#', (_, changes, expected) => {
  expect(group(changes).countsUnits).toBe(expected);
});

it.each<[string, AutoScalingGroup['AvailabilityZoneImpairmentPolicy'], true | undefined]>([
  ['no policy', undefined, undefined],
  ['an empty policy', {}, undefined],
  [
    'a shift that is not enabled',
    { ZonalShiftEnabled: false, ImpairedZoneHealthCheckBehavior: 'IgnoreUnhealthy' },
    undefined,
  ],
  ['a policy that does not say it', { ImpairedZoneHealthCheckBehavior: 'IgnoreUnhealthy' }, undefined],
  [
    'a shift that replaces Unhealthy instances',
    { ZonalShiftEnabled: true, ImpairedZoneHealthCheckBehavior: 'ReplaceUnhealthy' },
    undefined,
  ],
  ['a shift without a behaviour', { ZonalShiftEnabled: true }, undefined],
  [
    'a shift that ignores them',
    { ZonalShiftEnabled: true, ImpairedZoneHealthCheckBehavior: 'IgnoreUnhealthy' },
    true,
  ],
])('a group with %s keeps Unhealthy instances during a zonal shift: %#', (_, policy, expected) => {
  const { ignoresUnhealthyInShift } = group({ AvailabilityZoneImpairmentPolicy: policy });
  expect(ignoresUnhealthyInShift).toBe(expected);
});

it('an instance has its weight, where that is not one', () => {
  const weights = ['1', '3', undefined, 'many'];
  expect(weights.map((WeightedCapacity) => toGroupInstance({ WeightedCapacity } as never).weight)).toEqual([
    undefined,
    3,
    undefined,
    undefined,
  ]);
  expect(group({ Instances: [{ WeightedCapacity: '3' } as never] }).instances[0]?.weight).toBe(3);
});

it('a group has its zones and its suspended processes', () => {
  const suspended = { SuspendedProcesses: [{ ProcessName: 'Launch' }, {}] };
  expect(group({ ...suspended, AvailabilityZones: ['eu-west-1a'] })).toMatchObject({
    suspendedProcesses: ['Launch'],
    availabilityZones: ['eu-west-1a'],
  });
  expect(group()).toMatchObject({ suspendedProcesses: [], availabilityZones: [] });
});

/** DescribeAutoScalingInstances writes them in capitals, DescribeAutoScalingGroups does not. */
it.each([
  ['Healthy', true],
  ['HEALTHY', true],
  [undefined, true],
  ['Unhealthy', false],
  ['UNHEALTHY', false],
])('an instance with the health status %s is healthy: %s', (HealthStatus, expected) => {
  expect(toGroupInstance({ HealthStatus } as never).healthy).toBe(expected);
  expect(group({ Instances: [{ HealthStatus } as never] }).instances[0]?.healthy).toBe(expected);
});

it('an instance is protected from scale-in in both answers of Auto Scaling', () => {
  const kept = { ProtectedFromScaleIn: true } as never;
  expect(toGroupInstance(kept)).toMatchObject({ protectedFromScaleIn: true });
  expect(group({ Instances: [kept] }).instances[0]).toMatchObject({ protectedFromScaleIn: true });
});

it.each([
  ['no policy', undefined, undefined],
  ['a minimum of 90 %', { MinHealthyPercentage: 90, MaxHealthyPercentage: 120 }, undefined],
  ['a minimum of 100 %', { MinHealthyPercentage: 100, MaxHealthyPercentage: 110 }, true],
])('a group with %s launches before it terminates: %#', (_, InstanceMaintenancePolicy, expected) => {
  expect(group({ InstanceMaintenancePolicy }).launchesBeforeTerminating).toBe(expected);
});

it('an instance has the id and the number of its launch template', () => {
  const templateOf = (LaunchTemplate: object | undefined) =>
    group({ Instances: [{ LaunchTemplate } as never] }).instances[0]?.launchTemplate;
  expect(templateOf({ LaunchTemplateId: 'lt-1', Version: '3' })).toEqual({ templateId: 'lt-1', version: 3 });
  expect(templateOf({ LaunchTemplateId: 'lt-1', Version: '$Latest' })).toBeUndefined();
  expect(templateOf(undefined)).toBeUndefined();
});

it('the digest of overrides changes with any field of one, and not with the order of its fields', () => {
  const digestOf = (...Overrides: readonly object[]) =>
    group({ MixedInstancesPolicy: { LaunchTemplate: { Overrides: [...Overrides] } } }).launchSource
      ?.overridesDigest;
  const both = { InstanceType: 'm5.large', WeightedCapacity: '2' };
  expect(digestOf(both)).toBe(digestOf({ WeightedCapacity: '2', InstanceType: 'm5.large' }));
  expect(digestOf(both)).not.toBe(digestOf({ ...both, WeightedCapacity: '3' }));
  expect(digestOf(both, { InstanceType: 'm6.large' })).not.toBe(digestOf({ InstanceType: 'm6.large' }, both));
  expect(digestOf()).toBeUndefined();
});
