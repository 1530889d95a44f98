import type {
  AutoScalingGroupNamesType,
  CompleteLifecycleActionType,
  CreateOrUpdateTagsType,
  DeleteLifecycleHookType,
  DeleteTagsType,
  DescribeAutoScalingInstancesType,
  DescribeLifecycleHooksType,
  DescribeWarmPoolType,
  PutLifecycleHookType,
  RecordLifecycleActionHeartbeatType,
  SetDesiredCapacityType,
  TerminateInstanceInAutoScalingGroupType,
} from '@aws-sdk/client-auto-scaling';
import type { AwsConnection } from '../connection.ts';
import { queryApi } from './query-api.ts';
import type { AwsApi } from './service.ts';

/** What is asked of EC2 Auto Scaling; the members of inputs and answers are those of its API reference. */
interface Inputs {
  readonly CompleteLifecycleAction: CompleteLifecycleActionType;
  readonly CreateOrUpdateTags: CreateOrUpdateTagsType;
  readonly DeleteLifecycleHook: DeleteLifecycleHookType;
  readonly DeleteTags: DeleteTagsType;
  readonly DescribeAutoScalingGroups: AutoScalingGroupNamesType;
  readonly DescribeAutoScalingInstances: DescribeAutoScalingInstancesType;
  readonly DescribeLifecycleHooks: DescribeLifecycleHooksType;
  readonly DescribeWarmPool: DescribeWarmPoolType;
  readonly PutLifecycleHook: PutLifecycleHookType;
  readonly RecordLifecycleActionHeartbeat: RecordLifecycleActionHeartbeatType;
  readonly SetDesiredCapacity: SetDesiredCapacityType;
  readonly TerminateInstanceInAutoScalingGroup: TerminateInstanceInAutoScalingGroupType;
}

const instance = {
  InstanceId: 'string',
  LifecycleState: 'string',
  AvailabilityZone: 'string',
  HealthStatus: 'string',
} as const;

export const groupShape = {
  AutoScalingGroupName: 'string',
  MinSize: 'integer',
  MaxSize: 'integer',
  DesiredCapacity: 'integer',
  TargetGroupARNs: ['string'],
  Instances: [instance],
  Tags: [{ Key: 'string', Value: 'string' }],
  /** Absent: the group has no warm pool. */
  WarmPoolConfiguration: { PoolState: 'string' },
  InstanceLifecyclePolicy: { RetentionTriggers: { TerminateHookAbandon: 'string' } },
} as const;

export const instanceShape = { ...instance, AutoScalingGroupName: 'string' } as const;

export const hookShape = {
  LifecycleHookName: 'string',
  LifecycleTransition: 'string',
  HeartbeatTimeout: 'integer',
  GlobalTimeout: 'integer',
  DefaultResult: 'string',
} as const;

const answers = {
  CompleteLifecycleAction: {},
  CreateOrUpdateTags: {},
  DeleteLifecycleHook: {},
  DeleteTags: {},
  DescribeAutoScalingGroups: { AutoScalingGroups: [groupShape], NextToken: 'string' },
  DescribeAutoScalingInstances: { AutoScalingInstances: [instanceShape], NextToken: 'string' },
  DescribeLifecycleHooks: { LifecycleHooks: [hookShape] },
  DescribeWarmPool: { Instances: [instance], NextToken: 'string' },
  PutLifecycleHook: {},
  RecordLifecycleActionHeartbeat: {},
  SetDesiredCapacity: {},
  TerminateInstanceInAutoScalingGroup: {},
} as const;

export type AutoScalingApi = AwsApi<Inputs, typeof answers>;

export const autoScalingApi = (connection: AwsConnection): AutoScalingApi =>
  queryApi<Inputs, typeof answers>({
    connection,
    name: 'autoscaling',
    version: '2011-01-01',
    dialect: 'query',
    answers,
  });
