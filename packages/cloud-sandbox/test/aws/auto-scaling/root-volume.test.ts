import { describe, expect, test } from 'vitest';
import {
  actionsOf,
  type Cloud,
  complete,
  createCloud,
  createGroup,
  firstInstanceId,
  groupOf,
  launching,
  membersOf,
  putHook,
  stateOf,
  statesOf,
} from '../support/cloud.ts';

const override = { InstanceType: 'm5.large', ImageId: 'ami-0fedcba9876543210' };
const policy = (overrides: object[] = [override], Version = '1') => ({
  LaunchTemplate: {
    LaunchTemplateSpecification: { LaunchTemplateName: 'workers', Version },
    Overrides: overrides,
  },
});

const refresh = (cloud: Cloud, MixedInstancesPolicy: object = policy()) =>
  cloud.autoScaling.operations.StartInstanceRefresh({
    AutoScalingGroupName: 'workers',
    Strategy: 'ReplaceRootVolume',
    DesiredConfiguration: { MixedInstancesPolicy },
  });

const volumesOf = (cloud: Cloud): (string | undefined)[] =>
  membersOf(cloud).map(({ InstanceId = '' }) => cloud.ec2.instances.find(InstanceId)?.volumeId);

// https://docs.aws.amazon.com/autoscaling/ec2/userguide/replace-root-volume.html
describe('an instance refresh that replaces root volumes', () => {
  test('keeps the instances, gives each a new root volume and takes one at a time', () => {
    const cloud = createCloud();
    createGroup(cloud, { DesiredCapacity: 3 });
    const ids = membersOf(cloud).map(({ InstanceId }) => InstanceId);
    const volumes = volumesOf(cloud);
    refresh(cloud);
    let fewest = 3;
    for (let second = 0; second < 600; second++) {
      cloud.advance(1);
      fewest = Math.min(fewest, statesOf(cloud).filter((state) => state === 'InService').length);
    }
    expect(fewest).toBe(2);
    expect(membersOf(cloud).map(({ InstanceId }) => InstanceId)).toEqual(ids);
    expect(volumesOf(cloud).some((volume) => volumes.includes(volume))).toBe(false);
    const { InstanceRefreshes } = cloud.autoScaling.operations.DescribeInstanceRefreshes({
      AutoScalingGroupName: 'workers',
    });
    expect(InstanceRefreshes[0]).toMatchObject({ Status: 'Successful', Strategy: 'ReplaceRootVolume' });
  });

  test('waits on the terminating hook before and on the launching hook after, and says so in both events', () => {
    const cloud = createCloud();
    createGroup(cloud);
    putHook(cloud);
    putHook(cloud, { LifecycleHookName: 'join', LifecycleTransition: launching });
    const instanceId = firstInstanceId(cloud);
    const [volume] = volumesOf(cloud);
    refresh(cloud);
    cloud.advance(5);
    expect(stateOf(cloud, instanceId)).toBe('ReplacingRootVolume:Wait');
    expect(groupOf(cloud).Instances).toHaveLength(1);
    complete(cloud, { instanceId });
    expect(stateOf(cloud, instanceId)).toBe('ReplacingRootVolume:Proceed');
    expect(volumesOf(cloud)).toEqual([volume]);
    cloud.advance(59);
    expect(stateOf(cloud, instanceId)).toBe('Pending:Wait');
    complete(cloud, { instanceId, hook: 'join' });
    cloud.advance(5);
    expect(stateOf(cloud, instanceId)).toBe('InService');
    const way = { Origin: 'AutoScalingGroup', Destination: 'AutoScalingGroup', Action: 'ReplaceRootVolume' };
    expect(actionsOf(cloud)).toMatchObject([
      { ...way, LifecycleTransition: 'autoscaling:EC2_INSTANCE_TERMINATING', EC2InstanceId: instanceId },
      { ...way, LifecycleTransition: 'autoscaling:EC2_INSTANCE_LAUNCHING', EC2InstanceId: instanceId },
    ]);
  });

  test('replaces the instance where EC2 takes it in the wait', () => {
    const cloud = createCloud();
    createGroup(cloud);
    putHook(cloud);
    const instanceId = firstInstanceId(cloud);
    refresh(cloud);
    cloud.advance(5);
    cloud.ec2.accidents.kill(instanceId);
    cloud.advance(300);
    expect(stateOf(cloud, instanceId)).toBeUndefined();
    expect(statesOf(cloud)).toEqual(['InService']);
  });

  test.each([
    ['an override has no image', policy([{ InstanceType: 'm5.large' }]), /ImageId in each override/],
    ['the version is not a number', policy([override], '$Latest'), /version that is a number/],
    [
      'no override has the type of an instance',
      policy([{ ...override, InstanceType: 'c5.large' }]),
      /type of each/,
    ],
  ])('is refused if %s', (_, configuration, words) => {
    const cloud = createCloud();
    createGroup(cloud);
    expect(() => refresh(cloud, configuration)).toThrow(words);
  });
});
