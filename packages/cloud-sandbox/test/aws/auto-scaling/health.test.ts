import { expect, test } from 'vitest';
import {
  type Cloud,
  createCloud,
  createGroup,
  firstInstanceId,
  membersOf,
  putHook,
  stateOf,
  statesOf,
} from '../support/cloud.ts';
import { hookRule } from '../support/documented.ts';

const spotGroup = (cloud: Cloud, settings = {}): void =>
  createGroup(cloud, {
    LaunchTemplate: undefined,
    MixedInstancesPolicy: {
      LaunchTemplate: { LaunchTemplateSpecification: { LaunchTemplateName: 'workers' } },
      InstancesDistribution: { OnDemandPercentageAboveBaseCapacity: 0 },
    },
    ...settings,
  });

const found = 'that dies in EC2 is replaced after the next health check, through its hooks';
hookRule('an instance')(found, 'health-checks-overview', () => {
  const cloud = createCloud();
  createGroup(cloud);
  putHook(cloud);
  const instanceId = firstInstanceId(cloud);
  cloud.ec2.accidents.kill(instanceId);
  cloud.advance(29);
  expect(stateOf(cloud, instanceId)).toBe('InService');
  cloud.advance(1);
  expect(stateOf(cloud, instanceId)).toBe('Terminating:Wait');
  cloud.advance(120);
  expect(statesOf(cloud)).toEqual(['InService']);
  const causes = cloud.autoScaling.operations.DescribeScalingActivities({
    AutoScalingGroupName: 'workers',
  }).Activities;
  expect(causes.map(({ Cause }) => Cause).join('\n')).toMatch(
    /taken out of service in response to an EC2 health check indicating it has been terminated or stopped/,
  );
  expect(causes[0]?.Cause).toMatch(/launched in response to an unhealthy instance needing to be replaced/);
});

test('a group replaces an instance that was stopped by hand', () => {
  const cloud = createCloud();
  createGroup(cloud);
  const instanceId = firstInstanceId(cloud);
  cloud.ec2.operations.StopInstances({ InstanceIds: [instanceId] });
  cloud.advance(90);
  expect(membersOf(cloud).map(({ InstanceId }) => InstanceId)).not.toContain(instanceId);
  expect(statesOf(cloud)).toEqual(['InService']);
});

// https://docs.aws.amazon.com/autoscaling/ec2/APIReference/API_SetInstanceHealth.html
test('a group replaces an instance that was reported unhealthy after its grace period', () => {
  const cloud = createCloud();
  createGroup(cloud, { HealthCheckGracePeriod: 300 });
  const instanceId = firstInstanceId(cloud);
  const unhealthy = { InstanceId: instanceId, HealthStatus: 'Unhealthy' };
  cloud.autoScaling.operations.SetInstanceHealth(unhealthy);
  cloud.advance(60);
  expect(stateOf(cloud, instanceId)).toBe('InService');
  cloud.autoScaling.operations.SetInstanceHealth({ ...unhealthy, ShouldRespectGracePeriod: false });
  expect(stateOf(cloud, instanceId)).toBe('Terminating:Proceed');
});

// https://docs.aws.amazon.com/autoscaling/ec2/userguide/as-suspend-resume-processes.html
test('a group replaces no instance while ReplaceUnhealthy is suspended, and does so once it is resumed', () => {
  const cloud = createCloud();
  createGroup(cloud);
  const instanceId = firstInstanceId(cloud);
  const process = { AutoScalingGroupName: 'workers', ScalingProcesses: ['ReplaceUnhealthy'] };
  cloud.autoScaling.operations.SuspendProcesses(process);
  cloud.ec2.accidents.kill(instanceId);
  cloud.advance(300);
  expect(stateOf(cloud, instanceId)).toBe('InService');
  cloud.autoScaling.operations.ResumeProcesses(process);
  cloud.advance(90);
  expect(statesOf(cloud)).toEqual(['InService']);
  expect(stateOf(cloud, instanceId)).toBeUndefined();
});

// Also https://docs.aws.amazon.com/AWSEC2/latest/UserGuide/spot-instance-termination-notices.html
hookRule('an interrupted Spot Instance')(
  'terminates after two minutes, whatever its hook',
  'lifecycle-hooks',
  () => {
    const cloud = createCloud();
    spotGroup(cloud);
    putHook(cloud, { HeartbeatTimeout: 7200 });
    const instanceId = firstInstanceId(cloud);
    cloud.ec2.accidents.interruptSpot(instanceId);
    cloud.advance(119);
    expect(cloud.ec2.instances.find(instanceId)?.state).toBe('running');
    cloud.advance(1);
    expect(cloud.ec2.instances.find(instanceId)?.state).toBe('shutting-down');
    cloud.advance(60);
    expect(stateOf(cloud, instanceId)).toBe('Terminating:Wait');
    expect(statesOf(cloud).sort()).toEqual(['InService', 'Terminating:Wait']);
  },
);

// https://docs.aws.amazon.com/autoscaling/ec2/userguide/ec2-auto-scaling-capacity-rebalancing.html
test('a group with capacity rebalancing terminates an instance at risk after its replacement is in service', () => {
  const cloud = createCloud();
  spotGroup(cloud, { CapacityRebalance: true });
  putHook(cloud);
  const instanceId = firstInstanceId(cloud);
  cloud.ec2.accidents.recommendRebalance(instanceId);
  cloud.advance(10);
  expect(statesOf(cloud)).toEqual(['InService', 'Pending']);
  cloud.advance(20);
  expect(stateOf(cloud, instanceId)).toBe('Terminating:Wait');
  expect(statesOf(cloud)).toContain('InService');
});

test('a group without capacity rebalancing ignores a rebalance recommendation', () => {
  const cloud = createCloud();
  spotGroup(cloud);
  cloud.ec2.accidents.recommendRebalance(firstInstanceId(cloud));
  cloud.advance(60);
  expect(statesOf(cloud)).toEqual(['InService']);
});
