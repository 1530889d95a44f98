import { describe, expect, test } from 'vitest';
import {
  type Cloud,
  createCloud,
  createGroup,
  firstInstanceId,
  membersOf,
  stateOf,
  statesOf,
} from '../support/cloud.ts';

const setDesired = (cloud: Cloud, DesiredCapacity: number): unknown =>
  cloud.autoScaling.operations.SetDesiredCapacity({ AutoScalingGroupName: 'workers', DesiredCapacity });

const zonesOf = (cloud: Cloud): string[] =>
  membersOf(cloud).map(({ AvailabilityZone }) => AvailabilityZone ?? '');

describe('a scale-in', () => {
  // https://docs.aws.amazon.com/autoscaling/ec2/userguide/ec2-auto-scaling-termination-policies.html
  test('terminates in the largest zone, so that zones stay balanced', () => {
    const cloud = createCloud();
    createGroup(cloud, { DesiredCapacity: 7 });
    setDesired(cloud, 3);
    cloud.advance(30);
    expect(zonesOf(cloud).sort()).toEqual(['eu-west-1a', 'eu-west-1b', 'eu-west-1c']);
  });

  test('terminates instances of the oldest launch template version first', () => {
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
  test('keeps protected instances', () => {
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

describe('availability zones', () => {
  test('share the instances evenly', () => {
    const cloud = createCloud();
    createGroup(cloud, { DesiredCapacity: 9 });
    const sizes = Object.values(Object.groupBy(zonesOf(cloud), (zone) => zone)).map((zone) => zone?.length);
    expect(sizes).toEqual([3, 3, 3]);
  });

  test('without capacity are skipped, and the other zones launch', () => {
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
  /** Four instances in two of three zones, and capacity in the third again. */
  function unevenCloud() {
    const cloud = createCloud();
    const inFirstZone = { instanceType: 'm5.large', availabilityZone: 'eu-west-1a' };
    cloud.ec2.accidents.setCapacity({ ...inFirstZone, available: false });
    createGroup(cloud, { DesiredCapacity: 4 });
    expect(zonesOf(cloud)).not.toContain('eu-west-1a');
    cloud.ec2.accidents.setCapacity({ ...inFirstZone, available: true });
    return cloud;
  }

  // https://docs.aws.amazon.com/autoscaling/ec2/userguide/as-suspend-resume-processes.html
  test.each(['AZRebalance', 'Launch'])('are left uneven while %s is suspended', (process) => {
    const cloud = unevenCloud();
    cloud.autoScaling.operations.SuspendProcesses({
      AutoScalingGroupName: 'workers',
      ScalingProcesses: [process],
    });
    cloud.advance(600);
    expect(zonesOf(cloud)).not.toContain('eu-west-1a');
    expect(statesOf(cloud)).toEqual(['InService', 'InService', 'InService', 'InService']);
  });

  test('are rebalanced by launching before terminating', () => {
    const cloud = unevenCloud();
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
