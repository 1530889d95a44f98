import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  type Cloud,
  createCloud,
  createGroup,
  groupOf,
  launching,
  membersOf,
  putHook,
  statesOf,
} from '../support/cloud.ts';

type Step = (cloud: Cloud) => void;

const group = { AutoScalingGroupName: 'workers' };

/** What AWS may answer to a step that comes at the wrong moment; anything else is a fault of the simulation. */
const refusals = new Set([
  'ValidationError',
  'ScalingActivityInProgress',
  'InstanceRefreshInProgress',
  'IncorrectInstanceState',
]);

const onMember =
  (pick: number, act: (cloud: Cloud, instanceId: string) => void): Step =>
  (cloud) => {
    const members = membersOf(cloud);
    const id = members[pick % Math.max(1, members.length)]?.InstanceId;
    if (id !== undefined) act(cloud, id);
  };

const finish =
  (LifecycleActionResult: string): ((cloud: Cloud, instanceId: string) => void) =>
  (cloud, InstanceId) => {
    const action = { ...group, InstanceId, LifecycleActionResult };
    cloud.autoScaling.operations.CompleteLifecycleAction({ ...action, LifecycleHookName: 'drain' });
  };

const steps: fc.Arbitrary<Step> = fc.oneof(
  fc.integer({ min: 0, max: 300 }).map(
    (seconds): Step =>
      (cloud) =>
        cloud.advance(seconds),
  ),
  fc.integer({ min: 0, max: 8 }).map(
    (DesiredCapacity): Step =>
      (cloud) =>
        void cloud.autoScaling.operations.SetDesiredCapacity({ ...group, DesiredCapacity }),
  ),
  fc.tuple(fc.nat(), fc.boolean()).map(([pick, ShouldDecrementDesiredCapacity]) =>
    onMember(pick, (cloud, InstanceId) => {
      cloud.autoScaling.operations.TerminateInstanceInAutoScalingGroup({
        InstanceId,
        ShouldDecrementDesiredCapacity,
      });
    }),
  ),
  fc.nat().map((pick) => onMember(pick, (cloud, id) => cloud.ec2.accidents.kill(id))),
  fc
    .nat()
    .map((pick) =>
      onMember(pick, (cloud, id) => void cloud.ec2.operations.StopInstances({ InstanceIds: [id] })),
    ),
  fc.nat().map((pick) => onMember(pick, finish('CONTINUE'))),
  fc.nat().map((pick) => onMember(pick, finish('ABANDON'))),
  fc.nat().map((pick) =>
    onMember(pick, (cloud, InstanceId) => {
      cloud.autoScaling.operations.SetInstanceHealth({ InstanceId, HealthStatus: 'Unhealthy' });
    }),
  ),
  fc.nat().map((pick) =>
    onMember(pick, (cloud, id) => {
      cloud.autoScaling.operations.EnterStandby({
        ...group,
        InstanceIds: [id],
        ShouldDecrementDesiredCapacity: true,
      });
      cloud.advance(120);
      cloud.autoScaling.operations.ExitStandby({ ...group, InstanceIds: [id] });
    }),
  ),
  fc.constant<Step>((cloud) => void cloud.autoScaling.operations.StartInstanceRefresh(group)),
);

function take(cloud: Cloud, step: Step): void {
  try {
    step(cloud);
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && refusals.has(String(error.code)))) throw error;
  }
}

test('a group always returns to its desired capacity, and EC2 reports the same instances', () => {
  fc.assert(
    fc.property(fc.array(steps, { maxLength: 40, size: 'max' }), fc.nat(), (taken, seed) => {
      const cloud = createCloud({ seed });
      createGroup(cloud, { DesiredCapacity: 3, TargetGroupARNs: ['arn:web'] });
      putHook(cloud, { HeartbeatTimeout: 120 });
      putHook(cloud, { LifecycleHookName: 'join', LifecycleTransition: launching, HeartbeatTimeout: 60 });
      for (const step of taken) take(cloud, step);
      cloud.advance(7200);
      const standing = statesOf(cloud).filter((state) => state !== 'Standby');
      expect(standing).toEqual(
        Array.from({ length: groupOf(cloud).DesiredCapacity ?? -1 }, () => 'InService'),
      );
      const inEc2 = [...membersOf(cloud)].filter(({ LifecycleState }) => LifecycleState === 'InService');
      for (const { InstanceId = '' } of inEc2)
        expect(cloud.ec2.instances.find(InstanceId)?.state).toBe('running');
      const { Reservations = [] } = cloud.ec2.operations.DescribeInstances({
        Filters: [{ Name: 'instance-state-name', Values: ['running'] }],
      });
      const members = new Set(membersOf(cloud).map(({ InstanceId }) => InstanceId));
      const strangers = Reservations.flatMap(({ Instances = [] }) => Instances).filter(
        ({ InstanceId }) => !members.has(InstanceId),
      );
      expect(strangers).toEqual([]);
    }),
    { numRuns: 100 },
  );
});

test('the same seed gives the same events', () => {
  const run = () => {
    const cloud = createCloud({ seed: 42 });
    createGroup(cloud, { DesiredCapacity: 6 });
    putHook(cloud, { HeartbeatTimeout: 30 });
    cloud.autoScaling.operations.SetDesiredCapacity({ ...group, DesiredCapacity: 2 });
    cloud.advance(300);
    return cloud.events;
  };
  expect(run()).toEqual(run());
});
