import { describe, expect, test } from 'vitest';
import { createCloud, createGroup, membersOf, statesOf } from '../support/cloud.ts';

// https://docs.aws.amazon.com/autoscaling/ec2/userguide/asg-instance-refresh.html
describe('an instance refresh', () => {
  const refreshOf = (cloud: ReturnType<typeof createCloud>) =>
    cloud.autoScaling.operations.DescribeInstanceRefreshes({ AutoScalingGroupName: 'workers' })
      .InstanceRefreshes[0];

  test('replaces all instances, never more at once than the healthy percentage allows', () => {
    const cloud = createCloud();
    createGroup(cloud, { DesiredCapacity: 4 });
    const old = membersOf(cloud).map(({ InstanceId }) => InstanceId);
    cloud.autoScaling.operations.StartInstanceRefresh({
      AutoScalingGroupName: 'workers',
      Preferences: { MinHealthyPercentage: 75 },
    });
    let fewest = 4;
    for (let second = 0; second < 300; second++) {
      cloud.advance(1);
      fewest = Math.min(fewest, statesOf(cloud).filter((state) => state === 'InService').length);
    }
    expect(fewest).toBe(3);
    expect(membersOf(cloud).some(({ InstanceId }) => old.includes(InstanceId))).toBe(false);
    expect(refreshOf(cloud)).toMatchObject({ Status: 'Successful', PercentageComplete: 100 });
  });

  test('can be cancelled, and a second one at the same time is refused', () => {
    const cloud = createCloud();
    createGroup(cloud, { DesiredCapacity: 4 });
    const group = { AutoScalingGroupName: 'workers' };
    cloud.autoScaling.operations.StartInstanceRefresh(group);
    expect(() => cloud.autoScaling.operations.StartInstanceRefresh(group)).toThrow(/already in progress/);
    cloud.autoScaling.operations.CancelInstanceRefresh(group);
    cloud.advance(5);
    expect(refreshOf(cloud)).toMatchObject({ Status: 'Cancelled' });
  });
});
