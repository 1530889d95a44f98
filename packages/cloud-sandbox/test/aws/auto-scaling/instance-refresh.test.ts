import type { StartInstanceRefreshType } from '@aws-sdk/client-auto-scaling';
import { describe, expect, test } from 'vitest';
import {
  type Cloud,
  complete,
  createCloud,
  createGroup,
  groupOf,
  launching,
  membersOf,
  putHook,
  stateOf,
  statesOf,
} from '../support/cloud.ts';
import { replacementRule } from '../support/documented.ts';

const group = { AutoScalingGroupName: 'workers' };
const joining = { LifecycleHookName: 'join', LifecycleTransition: launching, HeartbeatTimeout: 3600 };
const idsOf = (cloud: Cloud): string[] => membersOf(cloud).map(({ InstanceId = '' }) => InstanceId);
const serving = (cloud: Cloud): number => statesOf(cloud).filter((state) => state === 'InService').length;

const start = (cloud: Cloud, more: Omit<StartInstanceRefreshType, 'AutoScalingGroupName'> = {}) =>
  cloud.autoScaling.operations.StartInstanceRefresh({ ...group, ...more });

const refreshOf = (cloud: Cloud) =>
  cloud.autoScaling.operations.DescribeInstanceRefreshes(group).InstanceRefreshes[0];

/** The fewest in service and the most that count, second by second. */
function watch(cloud: Cloud, seconds: number): { fewest: number; most: number } {
  const seen = { fewest: serving(cloud), most: 0 };
  for (let second = 0; second < seconds; second += 1) {
    cloud.advance(1);
    const counting = statesOf(cloud).filter((state) => !state.startsWith('Terminating')).length;
    seen.fewest = Math.min(seen.fewest, serving(cloud));
    seen.most = Math.max(seen.most, counting);
  }
  return seen;
}

const rule = replacementRule('an instance refresh');
const preferences = 'API_RefreshPreferences, MaxHealthyPercentage';

describe('an instance refresh', () => {
  rule(
    'replaces no more at once than its minimum healthy percentage allows',
    'instance-refresh-overview',
    () => {
      const cloud = createCloud();
      createGroup(cloud, { DesiredCapacity: 4 });
      const old = idsOf(cloud);
      start(cloud, { Preferences: { MinHealthyPercentage: 75 } });
      expect(watch(cloud, 300)).toEqual({ fewest: 3, most: 4 });
      expect(idsOf(cloud).some((id) => old.includes(id))).toBe(false);
      expect(refreshOf(cloud)).toMatchObject({ Status: 'Successful', PercentageComplete: 100 });
    },
  );

  rule('launches first with both percentages at 100', 'instance-refresh-overview', () => {
    const cloud = createCloud();
    createGroup(cloud, { MaxSize: 4, DesiredCapacity: 4 });
    start(cloud, { Preferences: { MinHealthyPercentage: 100, MaxHealthyPercentage: 100 } });
    expect(watch(cloud, 600)).toEqual({ fewest: 4, most: 5 });
    expect(refreshOf(cloud)?.Status).toBe('Successful');
  });

  rule('launches first if the percentages that it names leave no room for one instance', preferences, () => {
    const cloud = createCloud();
    createGroup(cloud, { MaxSize: 4, DesiredCapacity: 4 });
    start(cloud, { Preferences: { MinHealthyPercentage: 90, MaxHealthyPercentage: 100 } });
    expect(watch(cloud, 600)).toEqual({ fewest: 4, most: 5 });
  });

  rule('terminates and launches at the same time if it names no maximum', preferences, () => {
    const cloud = createCloud();
    createGroup(cloud, { DesiredCapacity: 4 });
    start(cloud, { Preferences: { MinHealthyPercentage: 100 } });
    expect(watch(cloud, 600)).toEqual({ fewest: 3, most: 4 });
  });

  rule('has the percentages of the policy unless it names its own', 'instance-refresh-overview, Note', () => {
    for (const [own, expected] of [
      [{}, { MinHealthyPercentage: 100, MaxHealthyPercentage: 110 }],
      [{ MinHealthyPercentage: 0, MaxHealthyPercentage: 100 }, { MinHealthyPercentage: 0 }],
    ] as const) {
      const cloud = createCloud();
      createGroup(cloud, {
        DesiredCapacity: 4,
        InstanceMaintenancePolicy: { MinHealthyPercentage: 100, MaxHealthyPercentage: 110 },
      });
      start(cloud, { Preferences: own });
      expect(refreshOf(cloud)?.Preferences).toMatchObject(expected);
      expect(watch(cloud, 600).fewest).toBe(expected.MinHealthyPercentage === 100 ? 4 : 0);
    }
  });

  rule('waits for launch hooks before it goes on', 'instance-refresh-overview', () => {
    const cloud = createCloud();
    createGroup(cloud, { DesiredCapacity: 2 });
    putHook(cloud, joining);
    start(cloud, { Preferences: { MinHealthyPercentage: 100, MaxHealthyPercentage: 110 } });
    cloud.advance(1800);
    expect(statesOf(cloud)).toEqual(['InService', 'InService', 'Pending:Wait']);
    expect(refreshOf(cloud)).toMatchObject({ Status: 'InProgress', InstancesToUpdate: 2 });
  });

  test('refuses percentages outside their ranges', () => {
    const cloud = createCloud();
    createGroup(cloud);
    for (const [MinHealthyPercentage, MaxHealthyPercentage] of [
      [101, undefined],
      [undefined, 110],
      [50, 151],
      [100, 99],
    ] as const)
      expect(() => start(cloud, { Preferences: { MinHealthyPercentage, MaxHealthyPercentage } })).toThrow(
        /HealthyPercentage/,
      );
    expect(refreshOf(cloud)).toBeUndefined();
  });

  test('leaves the account setting aside if it names a minimum', () => {
    const cloud = createCloud();
    createGroup(cloud, { DesiredCapacity: 10 });
    cloud.autoScaling.operations.PutAccountSetting({ Name: 'launchBeforeTerminate', Value: 'enabled' });
    start(cloud, { Preferences: { MinHealthyPercentage: 90 } });
    expect(watch(cloud, 600)).toEqual({ fewest: 9, most: 10 });
  });
});

describe('the cancellation of an instance refresh', () => {
  const page = 'cancel-instance-refresh';
  const cancelled = replacementRule('a cancelled instance refresh');

  cancelled('is Cancelling until what launches and terminates has done so', page, () => {
    const cloud = createCloud();
    createGroup(cloud, { DesiredCapacity: 4 });
    putHook(cloud, { HeartbeatTimeout: 3600 });
    const old = idsOf(cloud);
    start(cloud);
    expect(() => start(cloud)).toThrow(/already in progress/);
    cloud.advance(10);
    cloud.autoScaling.operations.CancelInstanceRefresh(group);
    cloud.advance(600);
    expect(refreshOf(cloud)).toMatchObject({ Status: 'Cancelling' });
    const leaving = membersOf(cloud).find(({ LifecycleState }) => LifecycleState === 'Terminating:Wait');
    complete(cloud, { instanceId: leaving?.InstanceId ?? '' });
    cloud.advance(60);
    expect(refreshOf(cloud)).toMatchObject({ Status: 'Cancelled', InstancesToUpdate: 3 });
    expect(idsOf(cloud).filter((id) => old.includes(id))).toHaveLength(3);
  });

  cancelled('does not wait with WaitForTransitioningInstances false, and another may begin', page, () => {
    const cloud = createCloud();
    createGroup(cloud, { DesiredCapacity: 4 });
    putHook(cloud, { HeartbeatTimeout: 3600 });
    start(cloud);
    cloud.advance(60);
    cloud.autoScaling.operations.CancelInstanceRefresh({ ...group, WaitForTransitioningInstances: false });
    cloud.advance(5);
    expect(refreshOf(cloud)).toMatchObject({ Status: 'Cancelled' });
    expect(statesOf(cloud)).toContain('Terminating:Wait');
    start(cloud);
    cloud.advance(5);
    expect(refreshOf(cloud)).toMatchObject({ Status: 'InProgress' });
  });

  cancelled('keeps instances whose replacement has not been launched', page, () => {
    const cloud = createCloud();
    createGroup(cloud, { MaxSize: 4, DesiredCapacity: 4 });
    const old = idsOf(cloud);
    for (const { availabilityZone } of cloud.ec2.instances.subnets())
      cloud.ec2.accidents.setCapacity({ instanceType: 'm5.large', availabilityZone, available: false });
    start(cloud, { Preferences: { MinHealthyPercentage: 100, MaxHealthyPercentage: 150 } });
    cloud.advance(600);
    cloud.autoScaling.operations.CancelInstanceRefresh(group);
    cloud.advance(60);
    expect(refreshOf(cloud)?.Status).toBe('Cancelled');
    for (const { availabilityZone } of cloud.ec2.instances.subnets())
      cloud.ec2.accidents.setCapacity({ instanceType: 'm5.large', availabilityZone, available: true });
    cloud.advance(3600);
    expect(idsOf(cloud)).toEqual(old);
    expect(serving(cloud)).toBe(4);
  });
});

describe('the end of an instance refresh', () => {
  const limits = 'instance-refresh-overview, Limitations';

  rule('fails after an hour without capacity for a replacement, and touches nothing else', limits, () => {
    const cloud = createCloud();
    createGroup(cloud, { DesiredCapacity: 4 });
    const old = idsOf(cloud);
    for (const { availabilityZone } of cloud.ec2.instances.subnets())
      cloud.ec2.accidents.setCapacity({ instanceType: 'm5.large', availabilityZone, available: false });
    start(cloud);
    cloud.advance(3500);
    expect(refreshOf(cloud)?.Status).toBe('InProgress');
    cloud.advance(200);
    expect(refreshOf(cloud)).toMatchObject({ Status: 'Failed', InstancesToUpdate: 3 });
    expect(idsOf(cloud).filter((id) => old.includes(id))).toHaveLength(3);
  });

  rule('is Baking before it is Successful, if it has a bake time', 'API_RefreshPreferences, BakeTime', () => {
    const cloud = createCloud();
    createGroup(cloud);
    start(cloud, { Preferences: { BakeTime: 600 } });
    cloud.advance(300);
    expect(refreshOf(cloud)).toMatchObject({ Status: 'Baking', PercentageComplete: 100 });
    cloud.advance(600);
    expect(refreshOf(cloud)?.Status).toBe('Successful');
  });

  rule('keeps the configuration of the group unless it is successful', 'instance-refresh-overview', () => {
    const cloud = createCloud();
    createGroup(cloud, { DesiredCapacity: 2 });
    cloud.ec2.operations.CreateLaunchTemplate({
      LaunchTemplateName: 'newer',
      LaunchTemplateData: { InstanceType: 'm5.large', ImageId: 'ami-0fedcba9876543210' },
    });
    const LaunchTemplate = { LaunchTemplateName: 'newer', Version: '1' };
    const templates = (): (string | undefined)[] =>
      membersOf(cloud).map((member) => member.LaunchTemplate?.LaunchTemplateName);
    start(cloud, { DesiredConfiguration: { LaunchTemplate } });
    expect(() => cloud.autoScaling.operations.UpdateAutoScalingGroup({ ...group, LaunchTemplate })).toThrow(
      /active instance refresh with a desired configuration/,
    );
    cloud.advance(10);
    expect(templates()).toContain('newer');
    cloud.autoScaling.operations.CancelInstanceRefresh(group);
    cloud.advance(600);
    expect(refreshOf(cloud)?.Status).toBe('Cancelled');
    expect(groupOf(cloud).LaunchTemplate?.LaunchTemplateName).toBe('workers');
    start(cloud, { DesiredConfiguration: { LaunchTemplate }, Preferences: { SkipMatching: true } });
    expect(refreshOf(cloud)?.InstancesToUpdate).toBe(templates().filter((name) => name !== 'newer').length);
    cloud.advance(600);
    expect(groupOf(cloud).LaunchTemplate?.LaunchTemplateName).toBe('newer');
    expect(templates()).toEqual(['newer', 'newer']);
  });
});

describe('instances in Standby or protected from scale in', () => {
  const defaults = 'understand-instance-refresh-default-values';

  function withBoth(): { cloud: Cloud; standby: string; kept: string } {
    const cloud = createCloud();
    createGroup(cloud, { DesiredCapacity: 4 });
    const [standby = '', kept = ''] = idsOf(cloud);
    const { EnterStandby, SetInstanceProtection } = cloud.autoScaling.operations;
    EnterStandby({ ...group, InstanceIds: [standby], ShouldDecrementDesiredCapacity: true });
    SetInstanceProtection({ ...group, InstanceIds: [kept], ProtectedFromScaleIn: true });
    cloud.advance(60);
    return { cloud, standby, kept };
  }

  rule('waits for them by default, and fails after an hour', defaults, () => {
    const { cloud, standby, kept } = withBoth();
    start(cloud);
    cloud.advance(1800);
    expect(refreshOf(cloud)).toMatchObject({ Status: 'InProgress', InstancesToUpdate: 2 });
    cloud.advance(3600);
    expect(refreshOf(cloud)).toMatchObject({ Status: 'Failed', InstancesToUpdate: 2 });
    expect([stateOf(cloud, standby), stateOf(cloud, kept)]).toEqual(['Standby', 'InService']);
  });

  rule('goes on once they are back in service and unprotected', defaults, () => {
    const { cloud, standby, kept } = withBoth();
    start(cloud);
    cloud.advance(1800);
    const { ExitStandby, SetInstanceProtection } = cloud.autoScaling.operations;
    ExitStandby({ ...group, InstanceIds: [standby] });
    SetInstanceProtection({ ...group, InstanceIds: [kept], ProtectedFromScaleIn: false });
    cloud.advance(600);
    expect(refreshOf(cloud)?.Status).toBe('Successful');
    expect([stateOf(cloud, standby), stateOf(cloud, kept)]).toEqual([undefined, undefined]);
  });

  rule('ignores them if it says so', defaults, () => {
    const { cloud, standby, kept } = withBoth();
    start(cloud, { Preferences: { ScaleInProtectedInstances: 'Ignore', StandbyInstances: 'Ignore' } });
    cloud.advance(600);
    expect(refreshOf(cloud)?.Status).toBe('Successful');
    expect([stateOf(cloud, standby), stateOf(cloud, kept)]).toEqual(['Standby', 'InService']);
  });

  rule('replaces and terminates them if it says so', defaults, () => {
    const { cloud, standby, kept } = withBoth();
    start(cloud, { Preferences: { ScaleInProtectedInstances: 'Refresh', StandbyInstances: 'Terminate' } });
    cloud.advance(600);
    expect(refreshOf(cloud)?.Status).toBe('Successful');
    expect([stateOf(cloud, standby), stateOf(cloud, kept)]).toEqual([undefined, undefined]);
    expect(serving(cloud)).toBe(3);
  });
});
