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
  statesOf,
  terminate,
} from '../support/cloud.ts';

const setDesired = (cloud: Cloud, DesiredCapacity: number): unknown =>
  cloud.autoScaling.operations.SetDesiredCapacity({ AutoScalingGroupName: 'workers', DesiredCapacity });

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

  test('outside minimum and maximum is refused with the message of AWS', () => {
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
  test('rises with a minimum that is raised above it', () => {
    const cloud = createCloud();
    createGroup(cloud);
    cloud.autoScaling.operations.UpdateAutoScalingGroup({ AutoScalingGroupName: 'workers', MinSize: 3 });
    cloud.advance(30);
    expect(groupOf(cloud)).toMatchObject({ MinSize: 3, DesiredCapacity: 3 });
    expect(statesOf(cloud)).toHaveLength(3);
  });

  test('can be lowered by a termination, but not below the minimum', () => {
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
  test('launch, wait for their hooks and terminate in linear work', () => {
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
