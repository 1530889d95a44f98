import { createHash } from 'node:crypto';
import {
  type AutoScalingClient,
  CompleteLifecycleActionCommand,
  DescribeAutoScalingGroupsCommand,
  type DescribeAutoScalingGroupsCommandInput,
  DescribeAutoScalingInstancesCommand,
  DescribeLifecycleHooksCommand,
  type AutoScalingGroup as GroupAnswer,
  type LifecycleHook as HookAnswer,
  type AutoScalingInstanceDetails as InstanceAnswer,
  type Instance as MemberAnswer,
  type LaunchTemplateOverrides as OverrideAnswer,
  RecordLifecycleActionHeartbeatCommand,
  type LaunchTemplateSpecification as TemplateAnswer,
  TerminateInstanceInAutoScalingGroupCommand,
} from '@aws-sdk/client-auto-scaling';
import { batched } from '../base/batched.ts';
import { messageOf } from '../base/message-of.ts';
import { type AutoScaling, type GiveBackAnswer, ThrottledError } from '../groups/auto-scaling.ts';
import type {
  AutoScalingGroup,
  GroupInstance,
  GroupMember,
  LaunchSource,
  LaunchTemplateVersion,
  LifecycleAction,
  LifecycleHook,
} from '../groups/group.ts';
import { globalTimeoutSecondsOf } from '../groups/hook-timing.ts';
import {
  type AnswerMetadata,
  hasCode,
  isContended,
  isNoActiveLifecycleAction,
  isThrottled,
  refusalOf,
  required,
  unlessBusy,
} from './errors.ts';

/** DescribeAutoScalingInstances takes at most 50 ids a call (EC2 Auto Scaling API reference). */
const idsPerCall = 50;

export interface AutoScalingOptions {
  readonly client: AutoScalingClient;
  /** Completes hooks. Passes give a client that tries once, because they try again themselves and AWS counts refused calls. */
  readonly completing?: AutoScalingClient;
  readonly clusterName: string;
}

/** Auto Scaling over its API. It keeps no answer; `withFewerCalls` keeps some. */
export function createAutoScaling({
  client,
  completing = client,
  clusterName,
}: AutoScalingOptions): AutoScaling {
  const listGroups = () => readGroups(client, clusterName);
  return {
    describeInstance: batched({ limit: idsPerCall, load: (ids) => describeInstances(client, ids) }),
    describeGroup: async (name) => groupNamed(await listGroups(), name),
    describeHooks: (name) => describeHooks(client, name),
    listGroups,
    recordHeartbeat: (action) =>
      unlessInactive('recorded', () =>
        client.send(new RecordLifecycleActionHeartbeatCommand(inputOf(action))),
      ),
    complete: (action, result) =>
      unlessInactive('completed', () =>
        completing.send(
          new CompleteLifecycleActionCommand({ ...inputOf(action), LifecycleActionResult: result }),
        ),
      ),
    terminate: (instanceId) => terminate(client, instanceId),
    giveBack: (instanceId) => giveBack(client, instanceId),
  };
}

async function describeInstances(
  client: AutoScalingClient,
  ids: readonly string[],
): Promise<ReadonlyMap<string, GroupInstance>> {
  const { AutoScalingInstances, $metadata } = await client.send(
    new DescribeAutoScalingInstancesCommand({ InstanceIds: [...ids], MaxRecords: idsPerCall }),
  );
  const instances = required(AutoScalingInstances, { name: 'AutoScalingInstances', $metadata }).map(
    toGroupInstance,
  );
  return new Map(instances.map((instance) => [instance.instanceId, instance]));
}

/**
 * Reads every group that has the cluster's tag.
 *
 * @throws UnreadableAnswerError
 */
export async function readGroups(
  client: AutoScalingClient,
  clusterName: string,
): Promise<AutoScalingGroup[]> {
  const groups: AutoScalingGroup[] = [];
  let nextToken: string | undefined;
  do {
    const page = await describeGroups(client, {
      Filters: [{ Name: 'tag-key', Values: [`kubernetes.io/cluster/${clusterName}`] }],
      MaxRecords: 100,
      NextToken: nextToken,
    });
    groups.push(...page.groups);
    nextToken = page.nextToken;
  } while (nextToken);
  return groups;
}

/**
 * One page of groups.
 *
 * @throws UnreadableAnswerError
 */
export async function describeGroups(
  client: AutoScalingClient,
  input: DescribeAutoScalingGroupsCommandInput,
): Promise<{ readonly groups: readonly AutoScalingGroup[]; readonly nextToken: string | undefined }> {
  const { AutoScalingGroups, NextToken, $metadata } = await client.send(
    new DescribeAutoScalingGroupsCommand(input),
  );
  const groups = required(AutoScalingGroups, { name: 'AutoScalingGroups', $metadata });
  return { groups: groups.map((group) => toGroup(group, $metadata)), nextToken: NextToken };
}

/**
 * Reads the hooks of a group.
 *
 * @throws UnreadableAnswerError
 */
export async function describeHooks(
  client: AutoScalingClient,
  name: string,
): Promise<readonly LifecycleHook[]> {
  const { LifecycleHooks, $metadata } = await client.send(
    new DescribeLifecycleHooksCommand({ AutoScalingGroupName: name }),
  );
  return required(LifecycleHooks, { name: 'LifecycleHooks', $metadata }).map(toHook);
}

async function unlessInactive<Word extends string>(
  word: Word,
  call: () => Promise<unknown>,
): Promise<Word | 'not-active'> {
  try {
    await call();
    return word;
  } catch (error) {
    if (isNoActiveLifecycleAction(error)) return 'not-active';
    if (isThrottled(error)) throw new ThrottledError(messageOf(error), { cause: error });
    throw error;
  }
}

async function terminate(
  client: AutoScalingClient,
  instanceId: string,
): Promise<'terminating' | 'not-in-group'> {
  try {
    const input = { InstanceId: instanceId, ShouldDecrementDesiredCapacity: false };
    await unlessBusy(() => client.send(new TerminateInstanceInAutoScalingGroupCommand(input)));
    return 'terminating';
  } catch (error) {
    const gone =
      hasCode(error, 'ValidationError') && /not found|not managed|no managed instance/i.test(String(error));
    if (gone) return 'not-in-group';
    throw error;
  }
}

async function giveBack(client: AutoScalingClient, instanceId: string): Promise<GiveBackAnswer> {
  const input = { InstanceId: instanceId, ShouldDecrementDesiredCapacity: true };
  try {
    await client.send(new TerminateInstanceInAutoScalingGroupCommand(input));
    return { kind: 'terminating' };
  } catch (error) {
    if (isContended(error)) return { kind: 'busy', reason: messageOf(error) };
    if (hasCode(error, 'ValidationError')) return { kind: 'refused', reason: messageOf(error) };
    if (refusalOf(error) === 'denied') return { kind: 'denied', error };
    throw error;
  }
}

/** The group of that name among these. */
export const groupNamed = (groups: readonly AutoScalingGroup[], name: string): AutoScalingGroup | undefined =>
  groups.find(({ autoScalingGroupName }) => autoScalingGroupName === name);

const inputOf = (action: LifecycleAction) => ({
  AutoScalingGroupName: action.autoScalingGroupName,
  LifecycleHookName: action.lifecycleHookName,
  InstanceId: action.instanceId,
  ...(action.lifecycleActionToken && { LifecycleActionToken: action.lifecycleActionToken }),
});

const healthy = (status: string | undefined): boolean => status?.toLowerCase() !== 'unhealthy';

/** AWS writes the weight of an instance as text, and only where its group has weights. */
function weightOf({ WeightedCapacity }: Pick<MemberAnswer, 'WeightedCapacity'>): Pick<GroupMember, 'weight'> {
  const weight = Number(WeightedCapacity ?? 1);
  return weight > 1 ? { weight } : {};
}

/** Auto Scaling names the version of an instance by its number, also where the group has `$Latest`. */
function launchTemplateOf({
  LaunchTemplateId: templateId,
  Version,
}: TemplateAnswer = {}): Pick<GroupMember, 'launchTemplate'> {
  const version = Number(Version);
  return templateId !== undefined && version >= 1 ? { launchTemplate: { templateId, version } } : {};
}

export const toMember = (instance: MemberAnswer): GroupMember => ({
  instanceId: instance.InstanceId ?? '',
  lifecycleState: instance.LifecycleState ?? '',
  availabilityZone: instance.AvailabilityZone ?? '',
  healthy: healthy(instance.HealthStatus),
  ...(instance.ProtectedFromScaleIn && { protectedFromScaleIn: true }),
  ...weightOf(instance),
  ...launchTemplateOf(instance.LaunchTemplate),
});

export const toGroupInstance = (details: InstanceAnswer): GroupInstance => ({
  instanceId: details.InstanceId ?? '',
  autoScalingGroupName: details.AutoScalingGroupName ?? '',
  lifecycleState: details.LifecycleState ?? '',
  availabilityZone: details.AvailabilityZone ?? '',
  healthy: healthy(details.HealthStatus),
  ...(details.ProtectedFromScaleIn && { protectedFromScaleIn: true }),
  ...weightOf(details),
  ...launchTemplateOf(details.LaunchTemplate),
});

/**
 * A group of the answer with this metadata.
 *
 * @throws UnreadableAnswerError where AWS says nothing of its instances or tags.
 */
export const toGroup = (group: GroupAnswer, $metadata: AnswerMetadata): AutoScalingGroup => ({
  autoScalingGroupName: group.AutoScalingGroupName ?? '',
  tags: Object.fromEntries(
    required(group.Tags, { name: 'Tags', $metadata }).map((tag) => [tag.Key ?? '', tag.Value ?? '']),
  ),
  minSize: group.MinSize ?? 0,
  maxSize: group.MaxSize ?? 0,
  desiredCapacity: group.DesiredCapacity ?? 0,
  instances: required(group.Instances, { name: 'Instances', $metadata }).map(toMember),
  targetGroupArns: group.TargetGroupARNs ?? [],
  retainsAbandoned: group.InstanceLifecyclePolicy?.RetentionTriggers?.TerminateHookAbandon === 'retain',
  availabilityZones: group.AvailabilityZones ?? [],
  suspendedProcesses: (group.SuspendedProcesses ?? []).flatMap(({ ProcessName }) => ProcessName ?? []),
  // "The current state of the group when the DeleteAutoScalingGroup operation is in progress" (API reference, AutoScalingGroup).
  ...(group.Status !== undefined && { isBeingDeleted: true }),
  ...(ignoresUnhealthyInShift(group) && { ignoresUnhealthyInShift: true }),
  ...(countsUnits(group) && { countsUnits: true }),
  // https://docs.aws.amazon.com/autoscaling/ec2/userguide/ec2-auto-scaling-instance-maintenance-policy.html
  ...(group.InstanceMaintenancePolicy?.MinHealthyPercentage === 100 && { launchesBeforeTerminating: true }),
  ...(group.WarmPoolConfiguration && { hasWarmPool: true }),
  launchSource: launchSourceOf(group),
});

/** https://docs.aws.amazon.com/autoscaling/ec2/userguide/ec2-auto-scaling-zonal-shift.html */
const ignoresUnhealthyInShift = ({ AvailabilityZoneImpairmentPolicy: policy }: GroupAnswer): boolean =>
  policy?.ZonalShiftEnabled === true && policy.ImpairedZoneHealthCheckBehavior === 'IgnoreUnhealthy';

/**
 * Whether the sizes of a group are units: its types have weights, or it selects types by vCPUs or memory.
 * https://docs.aws.amazon.com/autoscaling/ec2/userguide/ec2-auto-scaling-mixed-instances-groups-instance-weighting.html
 */
function countsUnits({
  DesiredCapacityType: type,
  MixedInstancesPolicy,
  Instances = [],
}: GroupAnswer): boolean {
  const overrides = MixedInstancesPolicy?.LaunchTemplate?.Overrides ?? [];
  const weights = [...overrides, ...Instances].map(({ WeightedCapacity }) => Number(WeightedCapacity ?? 1));
  return (type !== undefined && type !== 'units') || weights.some((weight) => weight > 1);
}

function launchSourceOf({ LaunchTemplate, MixedInstancesPolicy }: GroupAnswer): LaunchSource {
  const { LaunchTemplateSpecification = LaunchTemplate, Overrides } =
    MixedInstancesPolicy?.LaunchTemplate ?? {};
  const template = templateOf(LaunchTemplateSpecification);
  return {
    ...(template && { template }),
    ...(MixedInstancesPolicy && { overrides: (Overrides ?? []).map(toOverride) }),
    ...(Overrides && Overrides.length > 0 && { overridesDigest: digestOfOverrides(Overrides) }),
  };
}

/** Independent of the order of an override's fields. The order of overrides is their priority. */
const digestOfOverrides = (overrides: readonly OverrideAnswer[]): string =>
  createHash('sha256').update(JSON.stringify(overrides, sortedFields)).digest('hex').slice(0, 32);

const sortedFields = (_: string, value: unknown): unknown =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
    ? Object.fromEntries(Object.entries(value).toSorted(([one], [other]) => (one < other ? -1 : 1)))
    : value;

function toOverride({
  InstanceType,
  InstanceRequirements,
  LaunchTemplateSpecification,
  ImageId,
}: OverrideAnswer) {
  const template = templateOf(LaunchTemplateSpecification);
  return {
    ...(InstanceType !== undefined && { instanceType: InstanceType }),
    ...(InstanceRequirements && { selectsByAttributes: true as const }),
    ...(template && { template }),
    ...(ImageId !== undefined && { imageId: ImageId }),
  };
}

/** Without a version, Auto Scaling uses the default one (API reference, LaunchTemplateSpecification). */
function templateOf(specification: TemplateAnswer | undefined): LaunchTemplateVersion | undefined {
  const { LaunchTemplateId, LaunchTemplateName, Version } = specification ?? {};
  const nameOrId = LaunchTemplateId ?? LaunchTemplateName;
  return nameOrId === undefined ? undefined : { nameOrId, version: Version ?? '$Default' };
}

/** GlobalTimeout as AWS says it, or by its rule where an answer lacks it: 48 hours or 100 heartbeats, the smaller. */
export const toHook = (hook: HookAnswer): LifecycleHook => {
  const heartbeatTimeoutSeconds = hook.HeartbeatTimeout ?? 3600;
  return {
    lifecycleHookName: hook.LifecycleHookName ?? '',
    transition:
      hook.LifecycleTransition === 'autoscaling:EC2_INSTANCE_TERMINATING' ? 'terminating' : 'launching',
    heartbeatTimeoutSeconds,
    globalTimeoutSeconds: hook.GlobalTimeout ?? globalTimeoutSecondsOf(heartbeatTimeoutSeconds),
    defaultResult: hook.DefaultResult === 'CONTINUE' ? 'CONTINUE' : 'ABANDON',
    ...(hook.NotificationTargetARN && { notificationTarget: hook.NotificationTargetARN }),
    ...(hook.RoleARN && { roleArn: hook.RoleARN }),
    ...(hook.NotificationMetadata && { notificationMetadata: hook.NotificationMetadata }),
  };
};
