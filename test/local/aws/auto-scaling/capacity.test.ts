import { describe, expect, test } from 'vitest';
import {
  type Cloud,
  complete,
  createCloud,
  createGroup,
  firstInstanceId,
  groupOf,
  membersOf,
  putHook,
  stateOf,
  statesOf,
  terminate,
} from '../support/cloud.ts';

const setDesired = (cloud: Cloud, DesiredCapacity: number): unknown =>
  cloud.autoScaling.operations.SetDesiredCapacity({ AutoScalingGroupName: 'workers', DesiredCapacity });

const zonesOf = (cloud: Cloud): string[] =>
  membersOf(cloud).map(({ AvailabilityZone }) => AvailabilityZone ?? '');

const causesOf = (cloud: Cloud): string[] =>
  cloud.autoScaling.operations
    .DescribeScalingActivities({ AutoScalingGroupName: 'workers' })
    .Activities.map(({ Cause }) => Cause ?? '');

describe('the desired capacity', () => {
  test('is reached from below and from above', () => {
    const cloud = createCloud();
    createGroup(cloud, { DesiredCapacity: 2 });
    setDesired(cloud, 5);
    cloud.advance(30);
    expect(statesOf(cloud)).toEqual(Array.from({ length: 5 }, () => 'InService'));
    setDesired(cloud, 1);
    cloud.advance(30);
    expect(statesOf(cloud)).toEqual(['InService']);
    expect(causesOf(cloud)[0]).toMatch(
      /changing the desired capacity from 5 to 1\..*selected for termination\.$/,
    );
  });

  test('outside minimum and maximum is refused in the words of AWS', () => {
    const cloud = createCloud();
    createGroup(cloud, { MinSize: 1, MaxSize: 3 });
    expect(() => setDesired(cloud, 4)).toThrow(
      'New SetDesiredCapacity value 4 is above max value 3 for the AutoScalingGroup.',
    );
    expect(() => setDesired(cloud, 0)).toThrow(
      'New SetDesiredCapacity value 0 is below min value 1 for the AutoScalingGroup.',
    );
  });

  // https://docs.aws.amazon.com/autoscaling/ec2/APIReference/API_UpdateAutoScalingGroup.html
  test('moves with a minimum that is raised above it', () => {
    const cloud = createCloud();
    createGroup(cloud);
    cloud.autoScaling.operations.UpdateAutoScalingGroup({ AutoScalingGroupName: 'workers', MinSize: 3 });
    cloud.advance(30);
    expect(groupOf(cloud)).toMatchObject({ MinSize: 3, DesiredCapacity: 3 });
    expect(statesOf(cloud)).toHaveLength(3);
  });

  test('can be lowered with the instance that is terminated, not below the minimum', () => {
    const cloud = createCloud();
    createGroup(cloud, { MinSize: 1, DesiredCapacity: 2 });
    terminate(cloud, firstInstanceId(cloud), true);
    cloud.advance(60);
    expect(groupOf(cloud).DesiredCapacity).toBe(1);
    expect(() => terminate(cloud, firstInstanceId(cloud), true)).toThrow(
      /Currently, desiredSize equals minSize \(1\)/,
    );
  });
});

describe('a scale-in', () => {
  // https://docs.aws.amazon.com/autoscaling/ec2/userguide/ec2-auto-scaling-termination-policies.html
  test('takes from the largest zone, so that zones stay balanced', () => {
    const cloud = createCloud();
    createGroup(cloud, { DesiredCapacity: 7 });
    setDesired(cloud, 3);
    cloud.advance(30);
    expect(zonesOf(cloud).sort()).toEqual(['eu-west-1a', 'eu-west-1b', 'eu-west-1c']);
  });

  test('takes instances of the oldest launch template version first', () => {
    const cloud = createCloud();
    createGroup(cloud, { DesiredCapacity: 3 });
    cloud.ec2.operations.CreateLaunchTemplateVersion({
      LaunchTemplateName: 'workers',
      SourceVersion: '1',
      LaunchTemplateData: { InstanceType: 'm5.xlarge' },
    });
    setDesired(cloud, 6);
    cloud.advance(30);
    setDesired(cloud, 3);
    cloud.advance(30);
    expect(membersOf(cloud).map(({ LaunchTemplate }) => LaunchTemplate?.Version)).toEqual(['2', '2', '2']);
  });

  test.each([
    ['OldestInstance', 'new'],
    ['NewestInstance', 'old'],
  ])('with policy %s keeps the %s instances', (policy, kept) => {
    const cloud = createCloud();
    createGroup(cloud, { DesiredCapacity: 3, TerminationPolicies: [policy] });
    const old = membersOf(cloud).map(({ InstanceId }) => InstanceId);
    setDesired(cloud, 6);
    cloud.advance(30);
    setDesired(cloud, 3);
    cloud.advance(30);
    const remaining = membersOf(cloud).filter(({ InstanceId }) => old.includes(InstanceId));
    expect(remaining).toHaveLength(kept === 'old' ? 3 : 0);
  });

  // https://docs.aws.amazon.com/autoscaling/ec2/userguide/ec2-auto-scaling-instance-protection.html
  test('leaves protected instances alone', () => {
    const cloud = createCloud();
    createGroup(cloud, { DesiredCapacity: 2, NewInstancesProtectedFromScaleIn: true });
    const instanceId = firstInstanceId(cloud);
    cloud.autoScaling.operations.SetInstanceProtection({
      AutoScalingGroupName: 'workers',
      InstanceIds: [instanceId],
      ProtectedFromScaleIn: false,
    });
    setDesired(cloud, 0);
    cloud.advance(60);
    expect(stateOf(cloud, instanceId)).toBeUndefined();
    expect(statesOf(cloud)).toEqual(['InService']);
  });
});

describe('zones', () => {
  test('share the instances evenly', () => {
    const cloud = createCloud();
    createGroup(cloud, { DesiredCapacity: 9 });
    const sizes = Object.values(Object.groupBy(zonesOf(cloud), (zone) => zone)).map((zone) => zone?.length);
    expect(sizes).toEqual([3, 3, 3]);
  });

  test('without capacity leave the launch to the others', () => {
    const cloud = createCloud();
    cloud.ec2.accidents.setCapacity({
      instanceType: 'm5.large',
      availabilityZone: 'eu-west-1a',
      available: false,
    });
    createGroup(cloud, { DesiredCapacity: 2 });
    expect(zonesOf(cloud).sort()).toEqual(['eu-west-1b', 'eu-west-1c']);
  });

  // https://docs.aws.amazon.com/autoscaling/ec2/userguide/ec2-auto-scaling-availability-zone-balanced.html
  test('are rebalanced by launching before terminating', () => {
    const cloud = createCloud();
    cloud.ec2.accidents.setCapacity({
      instanceType: 'm5.large',
      availabilityZone: 'eu-west-1a',
      available: false,
    });
    createGroup(cloud, { DesiredCapacity: 4 });
    expect(zonesOf(cloud)).not.toContain('eu-west-1a');
    cloud.ec2.accidents.setCapacity({
      instanceType: 'm5.large',
      availabilityZone: 'eu-west-1a',
      available: true,
    });
    setDesired(cloud, 5);
    cloud.advance(1);
    setDesired(cloud, 4);
    cloud.advance(120);
    const sizes = Object.values(Object.groupBy(zonesOf(cloud), (zone) => zone)).map(
      (zone) => zone?.length ?? 0,
    );
    expect(Math.max(...sizes) - Math.min(...sizes)).toBeLessThan(2);
    expect(statesOf(cloud)).toEqual(['InService', 'InService', 'InService', 'InService']);
  });
});

describe('a refused launch', () => {
  test('fails its activity, is announced, and is tried again later', () => {
    const cloud = createCloud();
    const zones = ['eu-west-1a', 'eu-west-1b', 'eu-west-1c'];
    const setAll = (available: boolean): void => {
      for (const availabilityZone of zones) {
        cloud.ec2.accidents.setCapacity({ instanceType: 'm5.large', availabilityZone, available });
      }
    };
    setAll(false);
    createGroup(cloud, { DesiredCapacity: 2 });
    expect(statesOf(cloud)).toEqual([]);
    const failed = cloud.events.filter(({ detailType }) => detailType === 'EC2 Instance Launch Unsuccessful');
    expect(failed.length).toBeGreaterThan(1);
    expect(failed.length).toBeLessThan(6);
    setAll(true);
    cloud.advance(120);
    expect(statesOf(cloud)).toEqual(['InService', 'InService']);
  });
});

describe('a mixed group', () => {
  // https://docs.aws.amazon.com/autoscaling/ec2/userguide/mixed-instances-groups-set-up-overview.html
  test('launches On-Demand up to its base and Spot above it', () => {
    const cloud = createCloud();
    createGroup(cloud, {
      LaunchTemplate: undefined,
      DesiredCapacity: 4,
      MixedInstancesPolicy: {
        LaunchTemplate: {
          LaunchTemplateSpecification: { LaunchTemplateName: 'workers', Version: '$Latest' },
          Overrides: [{ InstanceType: 'm5.xlarge' }, { InstanceType: 'm5.large' }],
        },
        InstancesDistribution: { OnDemandBaseCapacity: 1, OnDemandPercentageAboveBaseCapacity: 0 },
      },
    });
    const lifecycles = membersOf(cloud).map(
      ({ InstanceId }) => cloud.ec2.instances.find(InstanceId ?? '')?.lifecycle,
    );
    expect(lifecycles).toEqual(['on-demand', 'spot', 'spot', 'spot']);
    expect(new Set(membersOf(cloud).map(({ InstanceType }) => InstanceType))).toEqual(new Set(['m5.xlarge']));
  });
});

describe('five thousand instances', () => {
  test('come, wait for their hooks and go, with work that grows no faster than their number', () => {
    const cloud = createCloud();
    createGroup(cloud, { MaxSize: 5000, DesiredCapacity: 5000 });
    putHook(cloud);
    setDesired(cloud, 0);
    cloud.advance(1);
    const ids = membersOf(cloud).map(({ InstanceId }) => InstanceId ?? '');
    expect(new Set(statesOf(cloud))).toEqual(new Set(['Terminating:Wait']));
    for (const instanceId of ids) complete(cloud, { instanceId });
    cloud.advance(30);
    expect(statesOf(cloud)).toEqual([]);
  });
});
