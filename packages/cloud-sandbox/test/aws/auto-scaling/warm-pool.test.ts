import { describe, expect, test } from 'vitest';
import {
  actionsOf,
  createCloud,
  createGroup,
  groupOf,
  putHook,
  stateOf,
  statesOf,
} from '../support/cloud.ts';
import { hookRule } from '../support/documented.ts';

// https://docs.aws.amazon.com/autoscaling/ec2/userguide/ec2-auto-scaling-warm-pools.html
describe('a warm pool', () => {
  const pooled = (reuse = false) => {
    const cloud = createCloud();
    createGroup(cloud, { DesiredCapacity: 1, MaxSize: 3 });
    cloud.autoScaling.operations.PutWarmPool({
      AutoScalingGroupName: 'workers',
      InstanceReusePolicy: { ReuseOnScaleIn: reuse },
    });
    cloud.advance(60);
    return cloud;
  };
  const poolOf = (cloud: ReturnType<typeof createCloud>): (string | undefined)[] =>
    cloud.autoScaling.operations
      .DescribeWarmPool({ AutoScalingGroupName: 'workers' })
      .Instances.map(({ LifecycleState }) => LifecycleState);

  test('holds stopped instances for the gap between the desired and the maximum capacity', () => {
    const cloud = pooled();
    expect(poolOf(cloud)).toEqual(['Warmed:Stopped', 'Warmed:Stopped']);
    expect(statesOf(cloud)).toEqual(['InService']);
    expect(groupOf(cloud).WarmPoolSize).toBe(2);
  });

  test('supplies a scale-out before new instances are launched', () => {
    const cloud = pooled();
    cloud.autoScaling.operations.SetDesiredCapacity({ AutoScalingGroupName: 'workers', DesiredCapacity: 3 });
    cloud.advance(60);
    expect(statesOf(cloud)).toEqual(['InService', 'InService', 'InService']);
    expect(poolOf(cloud)).toEqual([]);
  });

  const reuse =
    'that reuses instances takes them back through a terminating hook with the pool as its destination';
  hookRule('a warm pool')(reuse, 'warm-pool-instance-lifecycle', () => {
    const cloud = pooled(true);
    putHook(cloud);
    cloud.autoScaling.operations.SetDesiredCapacity({ AutoScalingGroupName: 'workers', DesiredCapacity: 0 });
    cloud.advance(30);
    expect(poolOf(cloud)).toContain('Warmed:Pending:Wait');
    expect(actionsOf(cloud)).toMatchObject([{ Origin: 'AutoScalingGroup', Destination: 'WarmPool' }]);
    cloud.advance(60);
    expect(poolOf(cloud)).toEqual(['Warmed:Stopped', 'Warmed:Stopped', 'Warmed:Stopped']);
  });

  test('replaces an instance that EC2 terminated', () => {
    const cloud = pooled();
    const { Instances: before } = cloud.autoScaling.operations.DescribeWarmPool({
      AutoScalingGroupName: 'workers',
    });
    const lost = before[0]?.InstanceId ?? '';
    cloud.ec2.accidents.kill(lost);
    cloud.advance(60);
    expect(stateOf(cloud, lost)).toBeUndefined();
    expect(poolOf(cloud)).toEqual(['Warmed:Stopped', 'Warmed:Stopped']);
  });

  test('that is deleted terminates its instances', () => {
    const cloud = pooled();
    expect(() => cloud.autoScaling.operations.DeleteWarmPool({ AutoScalingGroupName: 'workers' })).toThrow(
      /warm pool/,
    );
    cloud.autoScaling.operations.DeleteWarmPool({ AutoScalingGroupName: 'workers', ForceDelete: true });
    cloud.advance(60);
    expect(groupOf(cloud).WarmPoolConfiguration).toBeUndefined();
    expect(statesOf(cloud)).toEqual(['InService']);
  });
});
