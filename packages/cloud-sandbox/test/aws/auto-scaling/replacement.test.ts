import { expect, test } from 'vitest';
import {
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
  terminate,
} from '../support/cloud.ts';
import { replacementRule } from '../support/documented.ts';

const launchFirst = { InstanceMaintenancePolicy: { MinHealthyPercentage: 100, MaxHealthyPercentage: 110 } };
const terminateFirst = { InstanceMaintenancePolicy: { MinHealthyPercentage: 0, MaxHealthyPercentage: 100 } };
const targetGroup = 'arn:aws:elasticloadbalancing:eu-west-1:123456789012:targetgroup/web/0123456789abcdef';
const joining = { LifecycleHookName: 'join', LifecycleTransition: launching, HeartbeatTimeout: 3600 };
const draining = { HeartbeatTimeout: 3600 };

const fail = (cloud: Cloud, InstanceId: string): void => {
  cloud.autoScaling.operations.SetInstanceHealth({ InstanceId, HealthStatus: 'Unhealthy' });
};

const newestId = (cloud: Cloud): string => membersOf(cloud).at(-1)?.InstanceId ?? '';

const terminated = replacementRule('an instance that a request terminates without decrement');
const bounds = 'API_TerminateInstanceInAutoScalingGroup; awslabs/amazon-eks-ami#66';

terminated('is replaced while it waits on its hook, within MaxSize', bounds, () => {
  const cloud = createCloud();
  createGroup(cloud, { MaxSize: 1 });
  putHook(cloud, draining);
  const old = firstInstanceId(cloud);
  terminate(cloud, old);
  cloud.advance(120);
  expect(statesOf(cloud)).toEqual(['Terminating:Wait', 'InService']);
  expect(groupOf(cloud)).toMatchObject({ MinSize: 0, MaxSize: 1, DesiredCapacity: 1 });
  complete(cloud, { instanceId: old });
  cloud.advance(120);
  expect(statesOf(cloud)).toEqual(['InService']);
});

const events = 'instance-maintenance-policy-overview-and-considerations, Scale your Auto Scaling group';
terminated('leaves at once, whatever the instance maintenance policy', events, () => {
  const cloud = createCloud();
  createGroup(cloud, launchFirst);
  putHook(cloud, draining);
  putHook(cloud, joining);
  const old = firstInstanceId(cloud);
  terminate(cloud, old);
  cloud.advance(120);
  expect(statesOf(cloud)).toEqual(['Terminating:Wait', 'Pending:Wait']);
});

const drained = 'lifecycle-hooks-overview, step 4; VirtusLab/kubedrainer#5';
terminated('is out of its target groups before its hook, and before its replacement serves', drained, () => {
  const cloud = createCloud();
  createGroup(cloud, { TargetGroupARNs: [targetGroup] });
  putHook(cloud, draining);
  putHook(cloud, joining);
  const old = firstInstanceId(cloud);
  terminate(cloud, old);
  expect(stateOf(cloud, old)).toBe('Terminating');
  expect([...cloud.targets.registered]).toEqual([]);
  cloud.advance(120);
  expect(statesOf(cloud)).toEqual(['Terminating:Wait', 'Pending:Wait']);
  expect([...cloud.targets.registered]).toEqual([]);
});

const unhealthy = replacementRule('an instance that is set to Unhealthy');
const overview = 'instance-maintenance-policy-overview-and-considerations';

unhealthy('is replaced while it terminates if its group has no policy', 'replace-unhealthy-instance', () => {
  const cloud = createCloud();
  createGroup(cloud);
  putHook(cloud, draining);
  putHook(cloud, joining);
  fail(cloud, firstInstanceId(cloud));
  cloud.advance(120);
  expect(statesOf(cloud)).toEqual(['Terminating:Wait', 'Pending:Wait']);
});

unhealthy('terminates first under a policy of less than 100 percent', overview, () => {
  const cloud = createCloud();
  createGroup(cloud, terminateFirst);
  putHook(cloud, draining);
  putHook(cloud, joining);
  fail(cloud, firstInstanceId(cloud));
  cloud.advance(120);
  expect(statesOf(cloud)).toEqual(['Terminating:Wait', 'Pending:Wait']);
});

const ready = `${overview}; ec2-auto-scaling-instance-maintenance-policy; aws/aws-node-termination-handler#292`;
unhealthy(
  'stays in service and in its target groups under a minimum of 100 percent until its replacement is in service, through its launch hook',
  ready,
  () => {
    const cloud = createCloud();
    createGroup(cloud, { MaxSize: 1, TargetGroupARNs: [targetGroup], ...launchFirst });
    putHook(cloud, draining);
    putHook(cloud, joining);
    const old = firstInstanceId(cloud);
    fail(cloud, old);
    cloud.advance(1800);
    expect(statesOf(cloud)).toEqual(['InService', 'Pending:Wait']);
    expect([...cloud.targets.registered]).toEqual([old]);
    const replacement = newestId(cloud);
    complete(cloud, { hook: 'join', instanceId: replacement });
    cloud.advance(5);
    expect(stateOf(cloud, replacement)).toBe('InService');
    expect(stateOf(cloud, old)).toBe('Terminating');
    expect([...cloud.targets.registered]).toEqual([replacement]);
  },
);

const abandoned = `${overview}; API_CompleteLifecycleAction`;
unhealthy(
  'stays in service under a minimum of 100 percent if its replacement is abandoned',
  abandoned,
  () => {
    const cloud = createCloud();
    createGroup(cloud, launchFirst);
    putHook(cloud, joining);
    const old = firstInstanceId(cloud);
    fail(cloud, old);
    cloud.advance(120);
    const rejected = newestId(cloud);
    complete(cloud, { hook: 'join', instanceId: rejected, result: 'ABANDON' });
    cloud.advance(120);
    expect(stateOf(cloud, rejected)).toBeUndefined();
    expect(statesOf(cloud)).toEqual(['InService', 'Pending:Wait']);
    expect(stateOf(cloud, old)).toBe('InService');
  },
);

const dead = replacementRule('an instance that no longer runs');
dead('is replaced at once, even below the minimum of the policy', overview, () => {
  const cloud = createCloud();
  createGroup(cloud, launchFirst);
  putHook(cloud, draining);
  putHook(cloud, joining);
  cloud.ec2.accidents.kill(firstInstanceId(cloud));
  cloud.advance(60);
  expect(statesOf(cloud)).toEqual(['Terminating:Wait', 'Pending:Wait']);
});

dead('terminates though it waited for its replacement', overview, () => {
  const cloud = createCloud();
  createGroup(cloud, launchFirst);
  putHook(cloud, draining);
  putHook(cloud, joining);
  const old = firstInstanceId(cloud);
  fail(cloud, old);
  cloud.advance(60);
  expect(stateOf(cloud, old)).toBe('InService');
  cloud.ec2.accidents.kill(old);
  cloud.advance(60);
  expect(statesOf(cloud)).toEqual(['Terminating:Wait', 'Pending:Wait']);
  cloud.advance(600);
  expect(membersOf(cloud)).toHaveLength(2);
});

const rebalanced = 'ec2-auto-scaling-availability-zone-balanced';
replacementRule('an instance that moves to another zone')(
  'terminates after its replacement is in service, within the policy',
  rebalanced,
  () => {
    const cloud = createCloud();
    const subnets = groupSubnets(cloud);
    createGroup(cloud, {
      MaxSize: 4,
      DesiredCapacity: 4,
      VPCZoneIdentifier: subnets[0] ?? '',
      ...launchFirst,
    });
    putHook(cloud, joining);
    cloud.autoScaling.operations.UpdateAutoScalingGroup({
      AutoScalingGroupName: 'workers',
      VPCZoneIdentifier: subnets.join(','),
    });
    cloud.advance(120);
    expect(statesOf(cloud)).toEqual(['InService', 'InService', 'InService', 'InService', 'Pending:Wait']);
    complete(cloud, { hook: 'join', instanceId: newestId(cloud) });
    cloud.advance(5);
    expect(statesOf(cloud).filter((state) => state.startsWith('Terminating'))).toHaveLength(1);
  },
);

function groupSubnets(cloud: Cloud): string[] {
  const zones = new Map(cloud.ec2.instances.subnets().map((one) => [one.availabilityZone, one.subnetId]));
  return [...zones.values()].slice(0, 2);
}

test('a leaving instance whose termination lowers the desired capacity is not replaced', () => {
  const cloud = createCloud();
  createGroup(cloud, { DesiredCapacity: 2, ...launchFirst });
  const old = firstInstanceId(cloud);
  fail(cloud, old);
  cloud.advance(5);
  expect(statesOf(cloud)).toEqual(['InService', 'InService', 'Pending']);
  terminate(cloud, old, true);
  cloud.advance(120);
  expect(groupOf(cloud).DesiredCapacity).toBe(1);
  expect(statesOf(cloud)).toEqual(['InService']);
});

test('one request terminates several instances of a group, or none', () => {
  const cloud = createCloud();
  createGroup(cloud, { MinSize: 1, DesiredCapacity: 3 });
  putHook(cloud, draining);
  const ids = membersOf(cloud).map(({ InstanceId = '' }) => InstanceId);
  const end = (InstanceIds: string[], ShouldDecrementDesiredCapacity: boolean, more = {}) =>
    cloud.autoScaling.operations.TerminateInstanceInAutoScalingGroup({
      AutoScalingGroupName: 'workers',
      InstanceIds,
      ShouldDecrementDesiredCapacity,
      ...more,
    });
  expect(() => end(ids, true)).toThrow(/min size constraint/);
  expect(() => end(ids, false, { InstanceId: ids[0] })).toThrow(/together/);
  expect(() => end(ids, false, { AutoScalingGroupName: undefined })).toThrow(/autoScalingGroupName/);
  expect(() => end([...ids, 'i-0123456789abcdef0'], false)).toThrow(/not found/);
  expect(() =>
    end(
      Array.from({ length: 101 }, (_, index) => `i-${index}`),
      false,
    ),
  ).toThrow(/exceed 100/);
  expect(statesOf(cloud)).toEqual(['InService', 'InService', 'InService']);
  const { Activities = [] } = end(ids.slice(0, 2), false);
  expect(Activities.map(({ Description }) => Description)).toEqual(
    ids.slice(0, 2).map((id) => `Terminating EC2 instance: ${id}`),
  );
  cloud.advance(120);
  expect(statesOf(cloud).toSorted()).toEqual([
    ...Array.from({ length: 3 }, () => 'InService'),
    ...Array.from({ length: 2 }, () => 'Terminating:Wait'),
  ]);
});

// https://docs.aws.amazon.com/autoscaling/ec2/userguide/instance-maintenance-policy-overview-and-considerations.html, the table of defaults.
test('capacity rebalancing exceeds MaxSize by at most 10 percent of the desired capacity', () => {
  const cloud = createCloud();
  createGroup(cloud, {
    LaunchTemplate: undefined,
    MixedInstancesPolicy: {
      LaunchTemplate: { LaunchTemplateSpecification: { LaunchTemplateName: 'workers' } },
      InstancesDistribution: { OnDemandPercentageAboveBaseCapacity: 0 },
    },
    MaxSize: 30,
    DesiredCapacity: 20,
    CapacityRebalance: true,
  });
  putHook(cloud, joining);
  for (const { InstanceId = '' } of membersOf(cloud)) cloud.ec2.accidents.recommendRebalance(InstanceId);
  cloud.advance(120);
  expect(membersOf(cloud)).toHaveLength(30 + 2);
});
