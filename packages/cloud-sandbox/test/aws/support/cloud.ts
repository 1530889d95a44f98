import type { CreateAutoScalingGroupType, PutLifecycleHookType } from '@aws-sdk/client-auto-scaling';
import { createAutoScaling } from '../../../src/aws/auto-scaling/auto-scaling.ts';
import { createEc2 } from '../../../src/aws/ec2/ec2.ts';
import type { AwsEvent } from '../../../src/aws/integration.ts';
import { AwsError } from '../../../src/aws/service.ts';
import { createRandom } from '../../../src/simulation/random.ts';
import { createVirtualClock, type VirtualClock } from '../../../src/simulation/virtual-clock.ts';

/** EC2 and Auto Scaling on virtual time, with everything that they send kept. */
export function createCloud({
  seed = 1,
  hookChangesReachWaits = false,
}: {
  readonly seed?: number;
  readonly hookChangesReachWaits?: boolean;
} = {}) {
  const clock = createVirtualClock();
  const random = createRandom(seed);
  const parts = { clock, random, accountId: '123456789012', region: 'eu-west-1' };
  const events: (AwsEvent & { readonly at: number })[] = [];
  const messages: { readonly targetArn: string; readonly body: string }[] = [];
  const brokenTargets = new Set<string>();
  const targets = createTargets((delay, task) => clock.after(delay, task));
  const putAwsEvent = (event: AwsEvent): void => {
    events.push({ ...event, at: clock.now() });
  };
  const deliver = (targetArn: string, body: string): void => {
    if (brokenTargets.has(targetArn))
      throw new AwsError({ code: 'QueueDoesNotExist', message: 'no such queue' });
    messages.push({ targetArn, body });
  };
  const ec2 = createEc2({ ...parts, putAwsEvent });
  const autoScaling = createAutoScaling({
    ...parts,
    ec2,
    putAwsEvent,
    deliver,
    targets,
    hookChangesReachWaits,
  });
  ec2.operations.CreateLaunchTemplate({
    LaunchTemplateName: 'workers',
    LaunchTemplateData: { InstanceType: 'm5.large', ImageId: 'ami-0123456789abcdef0' },
  });
  const advance = (seconds: number): void => advanceClock(clock, seconds);
  return { clock, advance, random, events, messages, brokenTargets, targets, ec2, autoScaling };
}

/** Lets so much simulated time pass, with everything that is due in it. */
export function advanceClock(clock: VirtualClock, seconds: number): void {
  const until = clock.now() + seconds * 1000;
  while (clock.step(until));
  clock.moveTo(until);
}

export type Cloud = ReturnType<typeof createCloud>;

/** Target groups that drain for 60 s. */
function createTargets(after: Cloud['clock']['after']) {
  const registered = new Set<string>();
  const calls: string[] = [];
  return {
    registered,
    calls,
    exists: (): boolean => true,
    register: (_arn: string, instanceId: string): void => {
      registered.add(instanceId);
      calls.push(`register ${instanceId}`);
    },
    deregister: (_arn: string, instanceId: string, drained: () => void): void => {
      registered.delete(instanceId);
      calls.push(`deregister ${instanceId}`);
      after(60_000, drained);
    },
  };
}

const subnets = 'subnet-0aaaaaaaaaaaaaaaa,subnet-0bbbbbbbbbbbbbbbb,subnet-0cccccccccccccccc';

/** A group `workers` of the given size, up and in service. */
export function createGroup(cloud: Cloud, settings: Partial<CreateAutoScalingGroupType> = {}): void {
  cloud.autoScaling.operations.CreateAutoScalingGroup({
    AutoScalingGroupName: 'workers',
    LaunchTemplate: { LaunchTemplateName: 'workers', Version: '$Latest' },
    MinSize: 0,
    MaxSize: 10,
    DesiredCapacity: 1,
    VPCZoneIdentifier: subnets,
    ...settings,
  });
  cloud.advance(60);
}

const terminating = 'autoscaling:EC2_INSTANCE_TERMINATING';
export const launching = 'autoscaling:EC2_INSTANCE_LAUNCHING';

export function putHook(cloud: Cloud, hook: Partial<PutLifecycleHookType> = {}): void {
  cloud.autoScaling.operations.PutLifecycleHook({
    AutoScalingGroupName: 'workers',
    LifecycleHookName: 'drain',
    LifecycleTransition: terminating,
    HeartbeatTimeout: 60,
    DefaultResult: 'CONTINUE',
    ...hook,
  });
}

export function groupOf(cloud: Cloud, name = 'workers') {
  const [group] = cloud.autoScaling.operations.DescribeAutoScalingGroups({
    AutoScalingGroupNames: [name],
  }).AutoScalingGroups;
  if (group === undefined) throw new Error(`no group ${name}`);
  return group;
}

export const membersOf = (cloud: Cloud) => groupOf(cloud).Instances ?? [];

export const statesOf = (cloud: Cloud): string[] =>
  membersOf(cloud).map(({ LifecycleState }) => LifecycleState ?? '');

/** The id of the only (or first) instance. */
export function firstInstanceId(cloud: Cloud): string {
  const id = membersOf(cloud)[0]?.InstanceId;
  if (id === undefined) throw new Error('the group is empty');
  return id;
}

export const stateOf = (cloud: Cloud, instanceId: string): string | undefined =>
  cloud.autoScaling.operations.DescribeAutoScalingInstances({ InstanceIds: [instanceId] })
    .AutoScalingInstances[0]?.LifecycleState;

export function terminate(cloud: Cloud, instanceId: string, decrement = false): void {
  cloud.autoScaling.operations.TerminateInstanceInAutoScalingGroup({
    InstanceId: instanceId,
    ShouldDecrementDesiredCapacity: decrement,
  });
}

/** The details of the lifecycle actions announced so far, newest last. */
export const actionsOf = (cloud: Cloud) =>
  cloud.events
    .filter(({ detailType }) => detailType.endsWith('Lifecycle Action'))
    .map(({ detail }) => detail);

export function complete(cloud: Cloud, action: { hook?: string; instanceId: string; result?: string }): void {
  cloud.autoScaling.operations.CompleteLifecycleAction({
    AutoScalingGroupName: 'workers',
    LifecycleHookName: action.hook ?? 'drain',
    InstanceId: action.instanceId,
    LifecycleActionResult: action.result ?? 'CONTINUE',
  });
}

/** A group of one instance with a hook on termination; the instance waits on it. */
export function waiting(
  hook: Parameters<typeof putHook>[1] = {},
  cloud = createCloud(),
): { cloud: Cloud; instanceId: string } {
  createGroup(cloud);
  putHook(cloud, hook);
  const instanceId = firstInstanceId(cloud);
  terminate(cloud, instanceId);
  cloud.advance(1);
  return { cloud, instanceId };
}
