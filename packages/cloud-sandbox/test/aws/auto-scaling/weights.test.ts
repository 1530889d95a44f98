import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type Cloud, createCloud, createGroup, groupOf, membersOf, statesOf } from '../support/cloud.ts';

type Weights = Readonly<Record<string, number>>;

const mixed = (weights: Weights) => ({
  LaunchTemplate: {
    LaunchTemplateSpecification: { LaunchTemplateName: 'workers' },
    Overrides: Object.entries(weights).map(([InstanceType, weight]) => ({
      InstanceType: InstanceType as 'm5.large',
      WeightedCapacity: String(weight),
    })),
  },
});

const create = (cloud: Cloud, weights: Weights, DesiredCapacity: number): void =>
  createGroup(cloud, {
    LaunchTemplate: undefined,
    MixedInstancesPolicy: mixed(weights),
    MaxSize: 100,
    DesiredCapacity,
  });

const unitsIn = (cloud: Cloud): number =>
  membersOf(cloud)
    .filter(({ LifecycleState }) => LifecycleState === 'InService')
    .reduce((sum, { WeightedCapacity }) => sum + Number(WeightedCapacity), 0);

const resize = (cloud: Cloud, DesiredCapacity: number): void => {
  cloud.autoScaling.operations.SetDesiredCapacity({ AutoScalingGroupName: 'workers', DesiredCapacity });
  cloud.advance(300);
};

/** Takes the type away in all zones, or in those with this ending. */
const withdraw = (cloud: Cloud, instanceType: string): void => {
  for (const { availabilityZone } of cloud.ec2.instances.subnets())
    cloud.ec2.accidents.setCapacity({ instanceType, availabilityZone, available: false });
};

// https://docs.aws.amazon.com/autoscaling/ec2/userguide/ec2-auto-scaling-mixed-instances-groups-instance-weighting.html
describe('a group whose types have weights', () => {
  test('counts its desired capacity in units, and exceeds it by less than an instance', () => {
    const cloud = createCloud();
    create(cloud, { 'm5.xlarge': 4, 'm5.large': 2 }, 6);
    cloud.advance(300);
    expect(membersOf(cloud)).toMatchObject([{ WeightedCapacity: '4' }, { WeightedCapacity: '4' }]);
    withdraw(cloud, 'm5.xlarge');
    resize(cloud, 11);
    expect(unitsIn(cloud)).toBe(12);
    expect(membersOf(cloud)).toHaveLength(4);
  });

  test('never falls below its desired capacity, and stays within the heaviest instance above it', () => {
    const weight = fc.integer({ min: 1, max: 9 });
    const steps = fc.array(fc.integer({ min: 0, max: 40 }), { minLength: 1, maxLength: 4 });
    fc.assert(
      fc.property(weight, weight, steps, (heavy, light, sizes) => {
        const cloud = createCloud();
        create(cloud, { 'm5.xlarge': heavy, 'm5.large': light }, 8);
        cloud.advance(300);
        withdraw(cloud, 'm5.xlarge');
        for (const size of sizes) {
          resize(cloud, size);
          expect(unitsIn(cloud)).toBeGreaterThanOrEqual(size);
          expect(unitsIn(cloud)).toBeLessThan(size + Math.max(heavy, light));
        }
      }),
      { numRuns: 30 },
    );
  });

  test('gives up the weight of an instance that is terminated without replacement', () => {
    const cloud = createCloud();
    create(cloud, { 'm5.large': 3 }, 9);
    cloud.advance(300);
    const [{ InstanceId = '' } = {}] = membersOf(cloud);
    cloud.autoScaling.operations.TerminateInstanceInAutoScalingGroup({
      InstanceId,
      ShouldDecrementDesiredCapacity: true,
    });
    cloud.advance(300);
    expect(groupOf(cloud).DesiredCapacity).toBe(6);
    expect(statesOf(cloud)).toEqual(['InService', 'InService']);
  });

  test('needs a weight from 1 to 999 for all types or for none', () => {
    const cloud = createCloud();
    expect(() => create(cloud, { 'm5.large': 0 }, 1)).toThrow(/between 1 and 999/);
    expect(() => create(cloud, { 'm5.large': 1000 }, 1)).toThrow(/between 1 and 999/);
    const policy = mixed({ 'm5.large': 2 });
    policy.LaunchTemplate.Overrides.push({ InstanceType: 'm5.xlarge' } as never);
    expect(() => createGroup(cloud, { LaunchTemplate: undefined, MixedInstancesPolicy: policy })).toThrow(
      /for all instance types/,
    );
  });
});
