import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type Cloud, createCloud, createGroup, membersOf, putHook, statesOf } from '../support/cloud.ts';

const launchFirst = { MinHealthyPercentage: 100, MaxHealthyPercentage: 110 };
const idsOf = (cloud: Cloud): string[] => membersOf(cloud).map(({ InstanceId = '' }) => InstanceId);

const fail = (cloud: Cloud, ids: readonly string[]): void => {
  for (const InstanceId of ids)
    cloud.autoScaling.operations.SetInstanceHealth({ InstanceId, HealthStatus: 'Unhealthy' });
};

const update = (cloud: Cloud, InstanceMaintenancePolicy: typeof launchFirst): void => {
  cloud.autoScaling.operations.UpdateAutoScalingGroup({
    AutoScalingGroupName: 'workers',
    InstanceMaintenancePolicy,
  });
};

const policyOf = (cloud: Cloud) =>
  cloud.autoScaling.operations.DescribeAutoScalingGroups({}).AutoScalingGroups[0]?.InstanceMaintenancePolicy;

// https://docs.aws.amazon.com/autoscaling/ec2/userguide/instance-maintenance-policy-overview-and-considerations.html
describe('a group with an instance maintenance policy', () => {
  test('launches the replacement of an unhealthy instance first, even above MaxSize', () => {
    const cloud = createCloud();
    createGroup(cloud, { MaxSize: 1, DesiredCapacity: 1, InstanceMaintenancePolicy: launchFirst });
    const [old = ''] = idsOf(cloud);
    fail(cloud, [old]);
    cloud.advance(5);
    expect(membersOf(cloud)).toMatchObject([
      { InstanceId: old, LifecycleState: 'InService', HealthStatus: 'Unhealthy' },
      { LifecycleState: 'Pending' },
    ]);
    cloud.advance(120);
    expect(statesOf(cloud)).toEqual(['InService']);
    expect(idsOf(cloud)).not.toContain(old);
  });

  test('keeps the old instance while the replacement waits for a launch hook', () => {
    const cloud = createCloud();
    createGroup(cloud, { DesiredCapacity: 1, InstanceMaintenancePolicy: launchFirst });
    putHook(cloud, {
      LifecycleHookName: 'join',
      LifecycleTransition: 'autoscaling:EC2_INSTANCE_LAUNCHING',
      HeartbeatTimeout: 300,
      DefaultResult: 'CONTINUE',
    });
    fail(cloud, idsOf(cloud));
    cloud.advance(250);
    expect(statesOf(cloud)).toEqual(['InService', 'Pending:Wait']);
    cloud.advance(150);
    expect(statesOf(cloud)).toEqual(['InService']);
  });

  test('keeps the old instance until the replacement is warmed up', () => {
    const cloud = createCloud();
    createGroup(cloud, {
      DesiredCapacity: 1,
      DefaultInstanceWarmup: 200,
      InstanceMaintenancePolicy: launchFirst,
    });
    fail(cloud, idsOf(cloud));
    cloud.advance(150);
    expect(statesOf(cloud)).toEqual(['InService', 'InService']);
    cloud.advance(200);
    expect(statesOf(cloud)).toEqual(['InService']);
  });

  test('keeps the old instance as long as EC2 has no capacity for another', () => {
    const cloud = createCloud();
    createGroup(cloud, { DesiredCapacity: 1, InstanceMaintenancePolicy: launchFirst });
    const places = cloud.ec2.instances.subnets().map(({ availabilityZone }) => availabilityZone);
    const [{ InstanceType = '' } = {}] = membersOf(cloud);
    const offer = (available: boolean): void => {
      for (const availabilityZone of places)
        cloud.ec2.accidents.setCapacity({ instanceType: InstanceType, availabilityZone, available });
    };
    offer(false);
    const old = idsOf(cloud);
    fail(cloud, old);
    cloud.advance(3600);
    expect(idsOf(cloud)).toEqual(old);
    offer(true);
    cloud.advance(1200);
    expect(statesOf(cloud)).toEqual(['InService']);
    expect(idsOf(cloud)).not.toEqual(old);
  });

  test('stays between its percentages while all its instances are replaced', () => {
    const size = fc.integer({ min: 1, max: 12 });
    const percentages = fc
      .record({ minimum: fc.integer({ min: 0, max: 100 }), maximum: fc.integer({ min: 100, max: 200 }) })
      .filter(({ minimum, maximum }) => maximum - minimum <= 100);
    fc.assert(
      fc.property(size, percentages, fc.boolean(), (desired, { minimum, maximum }, refresh) => {
        const cloud = createCloud();
        const policy = { MinHealthyPercentage: minimum, MaxHealthyPercentage: maximum };
        createGroup(cloud, { MaxSize: desired, DesiredCapacity: desired, InstanceMaintenancePolicy: policy });
        const old = idsOf(cloud);
        if (refresh) cloud.autoScaling.operations.StartInstanceRefresh({ AutoScalingGroupName: 'workers' });
        else fail(cloud, old);
        const highest = Math.max(
          Math.floor((desired * maximum) / 100),
          minimum === 100 ? desired + 1 : desired,
        );
        const lowest = Math.min(Math.ceil((desired * minimum) / 100), highest - 1);
        for (let second = 0; second < 2000; second += 1) {
          cloud.advance(1);
          const states = statesOf(cloud).filter((state) => !state?.startsWith('Terminating'));
          expect(states.length).toBeLessThanOrEqual(highest);
          expect(states.filter((state) => state === 'InService').length).toBeGreaterThanOrEqual(lowest);
        }
        expect(idsOf(cloud).filter((id) => old.includes(id))).toEqual([]);
        expect(statesOf(cloud)).toEqual(Array.from({ length: desired }, () => 'InService'));
      }),
      { numRuns: 20 },
    );
  });

  test('loses the policy when both percentages are -1', () => {
    const cloud = createCloud();
    createGroup(cloud, { DesiredCapacity: 1, InstanceMaintenancePolicy: launchFirst });
    update(cloud, { MinHealthyPercentage: -1, MaxHealthyPercentage: -1 });
    expect(policyOf(cloud)).toBeUndefined();
    fail(cloud, idsOf(cloud));
    cloud.advance(3);
    expect(statesOf(cloud)[0]).toMatch(/^Terminating/);
  });

  test('still loses instances at once to a lower desired capacity and to a request', () => {
    const cloud = createCloud();
    createGroup(cloud, { DesiredCapacity: 3, InstanceMaintenancePolicy: launchFirst });
    cloud.autoScaling.operations.SetDesiredCapacity({ AutoScalingGroupName: 'workers', DesiredCapacity: 2 });
    cloud.advance(2);
    expect(statesOf(cloud).filter((state) => state?.startsWith('Terminating'))).toHaveLength(1);
    cloud.advance(60);
    const [InstanceId = ''] = idsOf(cloud);
    cloud.autoScaling.operations.TerminateInstanceInAutoScalingGroup({
      InstanceId,
      ShouldDecrementDesiredCapacity: false,
    });
    expect(statesOf(cloud).filter((state) => state?.startsWith('Terminating'))).toHaveLength(1);
  });
});

// https://docs.aws.amazon.com/autoscaling/ec2/userguide/ec2-auto-scaling-launch-before-terminate-account-setting.html
describe('the account setting launchBeforeTerminate', () => {
  const settings = (cloud: Cloud) => cloud.autoScaling.operations.DescribeAccountSettings({}).Settings;

  test('is disabled in a new account, and takes no other value than enabled and disabled', () => {
    const cloud = createCloud();
    const setting = { Name: 'launchBeforeTerminate', Value: 'disabled', EnforcementType: 'none' };
    expect(settings(cloud)).toEqual([setting]);
    const put = (Name: string, Value: string) => () =>
      cloud.autoScaling.operations.PutAccountSetting({ Name, Value });
    expect(put('launchBeforeTerminate', 'true')).toThrow(/enum value set/);
    expect(put('launchbeforeterminate', 'enabled')).toThrow(/enum value set/);
    expect(settings(cloud)).toEqual([setting]);
  });

  test('makes groups without a policy launch first, and leaves those with a policy alone', () => {
    for (const policy of [undefined, { MinHealthyPercentage: 0, MaxHealthyPercentage: 100 }]) {
      const cloud = createCloud();
      createGroup(cloud, { DesiredCapacity: 1, ...(policy && { InstanceMaintenancePolicy: policy }) });
      cloud.autoScaling.operations.PutAccountSetting({ Name: 'launchBeforeTerminate', Value: 'enabled' });
      fail(cloud, idsOf(cloud));
      cloud.advance(3);
      expect(statesOf(cloud)[0]).toMatch(policy === undefined ? /^InService$/ : /^Terminating/);
    }
  });

  test('is the default of an instance refresh', () => {
    const cloud = createCloud();
    createGroup(cloud, { DesiredCapacity: 2 });
    cloud.autoScaling.operations.PutAccountSetting({ Name: 'launchBeforeTerminate', Value: 'enabled' });
    cloud.autoScaling.operations.StartInstanceRefresh({ AutoScalingGroupName: 'workers' });
    for (let second = 0; second < 300; second += 1) {
      cloud.advance(1);
      expect(statesOf(cloud).filter((state) => state === 'InService').length).toBeGreaterThanOrEqual(2);
    }
    const [refresh] = cloud.autoScaling.operations.DescribeInstanceRefreshes({
      AutoScalingGroupName: 'workers',
    }).InstanceRefreshes;
    expect(refresh).toMatchObject({
      Status: 'Successful',
      Preferences: { MinHealthyPercentage: 100, MaxHealthyPercentage: 110 },
    });
  });
});
