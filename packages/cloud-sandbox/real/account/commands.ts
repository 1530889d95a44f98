import { markTag } from './mark.ts';

type Input = Readonly<Record<string, unknown>>;

/** What a run may make. `removal/kinds.ts` finds and removes each of them. */
export type KindName =
  | 'Auto Scaling group'
  | 'instance'
  | 'volume'
  | 'network interface'
  | 'launch template'
  | 'target group'
  | 'queue'
  | 'parameter'
  | 'hosted zone'
  | 'role'
  | 'rule'
  | 'schedule'
  | 'schedule group'
  | 'stack'
  | 'bucket'
  | 'log group'
  | 'subnet'
  | 'VPC';

/** An operation that makes something. */
export interface Creation {
  readonly kind: KindName;
  /** The input's member that has the name; without one the tag finds the resource. */
  readonly name?: string;
  /** The input's member that has the name of what it is in: a resource in one of the run needs no name of the run. */
  readonly within?: string;
  /** The input with the tag of the run. */
  readonly marked?: (input: Input, run: string) => Input;
}

/** `change` changes or removes what exists, and makes nothing that outlives the resource. */
type Access = 'read' | 'change' | Creation;

export type ServiceName =
  | 'autoscaling'
  | 'cloudformation'
  | 'ec2'
  | 'eks'
  | 'elasticloadbalancing'
  | 'events'
  | 'iam'
  | 'logs'
  | 'route53'
  | 's3'
  | 'scheduler'
  | 'sqs'
  | 'ssm'
  | 'sts';

const all = (access: 'read' | 'change', names: string): Readonly<Record<string, Access>> =>
  Object.fromEntries(names.split(' ').map((name) => [name, access]));

const tags = (run: string) => [{ Key: markTag, Value: run }];
const listOf = (input: Input, member: string): readonly unknown[] => {
  const value = input[member];
  return Array.isArray(value) ? value : [];
};
const recordOf = (value: unknown): Input =>
  typeof value === 'object' && value !== null ? (value as Input) : {};
const withSpecification =
  (ResourceType: string) =>
  (input: Input, run: string): Input => ({
    ...input,
    TagSpecifications: [...listOf(input, 'TagSpecifications'), { ResourceType, Tags: tags(run) }],
  });

/**
 * Instances, their volumes and network interfaces get the tag from their template. Burstable types are launched as `unlimited` by default,
 * and surplus CPU credits cost up to ten times as much as the instance: `standard` has none.
 */
function markedTemplate(input: Input, run: string): Input {
  const given = recordOf(input['LaunchTemplateData']);
  const launched = ['instance', 'volume', 'network-interface'].map((ResourceType) => ({
    ResourceType,
    Tags: tags(run),
  }));
  return {
    ...withSpecification('launch-template')(input, run),
    LaunchTemplateData: {
      CreditSpecification: { CpuCredits: 'standard' },
      ...given,
      TagSpecifications: [...listOf(given, 'TagSpecifications'), ...launched],
    },
  };
}

/** A role of a run can call only SQS, whatever its policy says. AWS manages this policy. */
export const roleBoundary = 'arn:aws:iam::aws:policy/AmazonSQSFullAccess';

/**
 * Every operation that a run may call, by the signing name of the service. No other one is sent: what is not here could make something that
 * the sweep does not know.
 */
export const commands: Readonly<Record<ServiceName, Readonly<Record<string, Access>>>> = {
  autoscaling: {
    ...all(
      'read',
      'DescribeAccountSettings DescribeAutoScalingGroups DescribeAutoScalingInstances DescribeInstanceRefreshes DescribeLifecycleHooks DescribeScalingActivities DescribeTags DescribeWarmPool',
    ),
    ...all(
      'change',
      'CancelInstanceRefresh CompleteLifecycleAction CreateOrUpdateTags DeleteAutoScalingGroup DeleteLifecycleHook DeleteTags DeleteWarmPool PutLifecycleHook PutWarmPool RecordLifecycleActionHeartbeat ResumeProcesses SetDesiredCapacity SetInstanceHealth SetInstanceProtection StartInstanceRefresh SuspendProcesses TerminateInstanceInAutoScalingGroup UpdateAutoScalingGroup',
    ),
    CreateAutoScalingGroup: { kind: 'Auto Scaling group', name: 'AutoScalingGroupName' },
  },
  cloudformation: {
    ...all('read', 'DescribeStacks ListStackResources'),
    ...all('change', 'DeleteStack'),
    CreateStack: {
      kind: 'stack',
      name: 'StackName',
      marked: (input, run) => ({ ...input, Tags: [...listOf(input, 'Tags'), ...tags(run)] }),
    },
  },
  ec2: {
    ...all(
      'read',
      'DescribeAvailabilityZones DescribeImages DescribeInstances DescribeLaunchTemplates DescribeNetworkInterfaces DescribeSubnets DescribeVolumes DescribeVpcs',
    ),
    ...all(
      'change',
      'DeleteLaunchTemplate DeleteNetworkInterface DeleteSubnet DeleteVolume DeleteVpc TerminateInstances',
    ),
    CreateLaunchTemplate: { kind: 'launch template', name: 'LaunchTemplateName', marked: markedTemplate },
    CreateSubnet: { kind: 'subnet', marked: withSpecification('subnet') },
    CreateVpc: { kind: 'VPC', marked: withSpecification('vpc') },
  },
  eks: all('read', 'ListClusters'),
  elasticloadbalancing: {
    ...all('read', 'DescribeTargetGroups DescribeTargetHealth'),
    ...all('change', 'DeleteTargetGroup'),
    CreateTargetGroup: {
      kind: 'target group',
      name: 'Name',
      marked: (input, run) => ({ ...input, Tags: [...listOf(input, 'Tags'), ...tags(run)] }),
    },
  },
  events: {
    ...all('read', 'ListRules ListTargetsByRule'),
    ...all('change', 'DeleteRule PutTargets RemoveTargets'),
    PutRule: {
      kind: 'rule',
      name: 'Name',
      marked: (input, run) => ({ ...input, Tags: [...listOf(input, 'Tags'), ...tags(run)] }),
    },
  },
  iam: {
    ...all('read', 'ListRolePolicies ListRoles SimulatePrincipalPolicy'),
    ...all('change', 'DeleteRole DeleteRolePolicy PutRolePolicy'),
    CreateRole: {
      kind: 'role',
      name: 'RoleName',
      marked: (input, run) => ({
        ...input,
        PermissionsBoundary: roleBoundary,
        Tags: [...listOf(input, 'Tags'), ...tags(run)],
      }),
    },
  },
  logs: { ...all('read', 'DescribeLogGroups'), ...all('change', 'DeleteLogGroup') },
  route53: {
    ...all('read', 'GetChange GetHostedZone ListHostedZones ListResourceRecordSets'),
    ...all('change', 'ChangeResourceRecordSets DeleteHostedZone'),
    CreateHostedZone: { kind: 'hosted zone', name: 'Name' },
  },
  s3: {
    ...all('read', 'ListBuckets ListObjectsV2'),
    ...all('change', 'DeleteBucket DeleteObjects PutObject'),
    CreateBucket: { kind: 'bucket', name: 'Bucket' },
  },
  scheduler: {
    ...all('read', 'GetSchedule GetScheduleGroup ListScheduleGroups ListSchedules ListTagsForResource'),
    ...all('change', 'DeleteSchedule DeleteScheduleGroup TagResource UntagResource UpdateSchedule'),
    CreateSchedule: { kind: 'schedule', name: 'Name', within: 'GroupName' },
    CreateScheduleGroup: { kind: 'schedule group', name: 'Name' },
  },
  sqs: {
    ...all('read', 'GetQueueAttributes GetQueueUrl ListDeadLetterSourceQueues ListQueues'),
    ...all(
      'change',
      'ChangeMessageVisibility ChangeMessageVisibilityBatch DeleteMessage DeleteMessageBatch DeleteQueue PurgeQueue ReceiveMessage SendMessage SendMessageBatch SetQueueAttributes',
    ),
    CreateQueue: {
      kind: 'queue',
      name: 'QueueName',
      marked: (input, run) => ({ ...input, tags: { ...recordOf(input['tags']), [markTag]: run } }),
    },
  },
  ssm: {
    ...all(
      'read',
      'DescribeParameters GetParameter GetParameterHistory GetParameters GetParametersByPath ListTagsForResource',
    ),
    ...all(
      'change',
      'AddTagsToResource DeleteParameter DeleteParameters LabelParameterVersion RemoveTagsFromResource UnlabelParameterVersion',
    ),
    PutParameter: { kind: 'parameter', name: 'Name' },
  },
  sts: all('read', 'AssumeRole GetCallerIdentity'),
};

/** Undefined if a run may not call it. */
export const accessOf = (service: ServiceName, operation: string): Access | undefined =>
  Object.hasOwn(commands[service], operation) ? commands[service][operation] : undefined;
