import {
  type Activity,
  type AutoScalingClient,
  SetDesiredCapacityCommand,
  TerminateInstanceInAutoScalingGroupCommand,
  UpdateAutoScalingGroupCommand,
} from '@aws-sdk/client-auto-scaling';
import {
  DescribeNodegroupCommand,
  type EKSClient,
  type NodegroupScalingConfig,
  UpdateNodegroupConfigCommand,
} from '@aws-sdk/client-eks';
import { lazily } from '../base/lazily.ts';
import {
  type ActivitiesPage,
  type ActivitiesRequest,
  busyMessage,
  type GroupActivity,
  type Groups,
  GroupsError,
  type GroupsErrorCode,
  type NodegroupState,
} from '../capacity/groups.ts';
import { type EksNodegroup, eksNodegroupOf } from '../groups/group.ts';
import { type PageOfActivities, readActivities, readFailedLaunch, readLaunches } from './activities.ts';
import { describeGroups, describeHooks, readGroups } from './auto-scaling.ts';
import { autoScalingClient, eksClient } from './clients.ts';
import type { AwsConnection } from './connection.ts';
import { hasCode, isContended, refusalOf, required } from './errors.ts';
import { readWarmPoolWaits } from './warm-pools.ts';

type Reads = Pick<Groups, 'listGroups' | 'describeHooks'>;

export interface GroupsOptions {
  readonly connection: AwsConnection;
  readonly clusterName: string;
  /** Answers that the function keeps. */
  readonly kept?: Reads;
}

/** The groups' capacity over the APIs of Auto Scaling and EKS. Only what the caller keeps is cached. */
export function createGroups({ connection, clusterName, kept }: GroupsOptions): Groups {
  const client = autoScalingClient(connection);
  const reads: Reads = kept ?? {
    listGroups: () => readGroups(client, clusterName),
    describeHooks: (name) => describeHooks(client, name),
  };
  const eks = lazily(() => eksClient(connection));
  return {
    listGroups: () => translated(() => reads.listGroups()),
    describeGroup: async (autoScalingGroupName) => {
      const input = { AutoScalingGroupNames: [autoScalingGroupName] };
      return (await translated(() => describeGroups(client, input))).groups[0];
    },
    describeHooks: (name) => translated(() => reads.describeHooks(name)),
    readWarmPoolWaits: (groups) => translated(() => readWarmPoolWaits(client, groups)),
    listActivities: (request) => translated(() => listActivities(client, request)),
    readFailedLaunch: (name) => translated(() => readFailedLaunch(client, name)),
    readLaunches: (name) => translated(() => readLaunches(client, name)),
    readNodegroup: async (group) => {
      const nodegroup = eksNodegroupOf(group);
      return nodegroup && (await translated(() => readNodegroup(eks(), nodegroup), 'EKS'));
    },
    setCapacity: async (group, { desiredCapacity, maxSize }) => {
      const nodegroup = eksNodegroupOf(group);
      if (nodegroup !== undefined)
        return await translated(
          () =>
            updateNodegroupSizes(eks(), nodegroup, {
              desiredSize: desiredCapacity,
              ...(maxSize !== undefined && { maxSize }),
            }),
          'EKS',
        );
      const input = { AutoScalingGroupName: group.autoScalingGroupName, DesiredCapacity: desiredCapacity };
      if (maxSize === undefined)
        await translated(() =>
          client.send(new SetDesiredCapacityCommand({ ...input, HonorCooldown: false })),
        );
      else
        await translated(() =>
          client.send(new UpdateAutoScalingGroupCommand({ ...input, MaxSize: maxSize })),
        );
    },
    setBounds: async (group, bounds) => {
      const { minSize, maxSize } = bounds;
      const nodegroup = eksNodegroupOf(group);
      if (nodegroup !== undefined)
        return await translated(
          () =>
            updateNodegroupSizes(eks(), nodegroup, {
              ...bounds,
              ...(minSize !== undefined && minSize > group.desiredCapacity && { desiredSize: minSize }),
            }),
          'EKS',
        );
      const input = {
        AutoScalingGroupName: group.autoScalingGroupName,
        ...(minSize !== undefined && { MinSize: minSize }),
        ...(maxSize !== undefined && { MaxSize: maxSize }),
      };
      await translated(() => client.send(new UpdateAutoScalingGroupCommand(input)));
    },
    terminateInstance: async (instanceId, { lowersDesiredCapacity }) => {
      const input = { InstanceId: instanceId, ShouldDecrementDesiredCapacity: lowersDesiredCapacity };
      await translated(() => client.send(new TerminateInstanceInAutoScalingGroupCommand(input)));
    },
  };
}

async function listActivities(
  client: AutoScalingClient,
  { autoScalingGroupName, limit, cursor }: ActivitiesRequest,
): Promise<ActivitiesPage> {
  const { activities, nextToken, $metadata } = await readActivities(client, {
    autoScalingGroupName,
    maxRecords: limit,
    nextToken: cursor,
  });
  return {
    activities: activities.map((activity) => toActivity(activity, $metadata)),
    ...(nextToken !== undefined && { nextCursor: nextToken }),
  };
}

const toActivity = (activity: Activity, $metadata: PageOfActivities['$metadata']): GroupActivity => ({
  activityId: activity.ActivityId ?? '',
  status: activity.StatusCode ?? '',
  description: activity.Description ?? '',
  cause: activity.Cause ?? '',
  startedAt: required(activity.StartTime, { name: 'StartTime', $metadata }).toISOString(),
  ...(activity.EndTime && { endedAt: activity.EndTime.toISOString() }),
  ...(activity.StatusMessage && { statusMessage: activity.StatusMessage }),
});

type Service = 'Auto Scaling' | 'EKS' | 'EC2' | 'CloudWatch';

/** @throws GroupsError instead of an error of the SDK that a caller can act on. */
export async function translated<Answer>(
  call: () => Promise<Answer>,
  service: Service = 'Auto Scaling',
): Promise<Answer> {
  try {
    return await call();
  } catch (cause) {
    const code = codeOf(cause);
    if (code === undefined) throw cause;
    throw new GroupsError(code, messageOf(code, service), { cause });
  }
}

function codeOf(error: unknown): GroupsErrorCode | undefined {
  if (isContended(error) || hasCode(error, 'ResourceInUseException')) return 'busy';
  const refusal = refusalOf(error);
  if (refusal !== undefined) return refusal;
  if (hasCode(error, 'InvalidNextToken')) return 'invalid-cursor';
  if (hasCode(error, 'ResourceNotFoundException')) return 'gone';
  if (hasCode(error, 'InvalidParameterException', 'InvalidRequestException')) return 'invalid';
  return hasCode(error, 'ValidationError') ? codeOfValidation(String(error)) : undefined;
}

/** ValidationError is Auto Scaling's word for a group that is not there and for a value out of bounds alike. */
function codeOfValidation(message: string): GroupsErrorCode {
  if (/pending delete/i.test(message)) return 'busy';
  return /not found|no managed instance/i.test(message) ? 'gone' : 'invalid';
}

/** In our words: AWS names ARNs of roles in its own, which are the operator's and not every caller's to read. */
function messageOf(code: GroupsErrorCode, service: Service): string {
  switch (code) {
    case 'busy':
      return busyMessage(service);
    case 'unavailable':
      return `${service} does not answer`;
    case 'throttled':
      return `${service} takes no more calls at this moment; ask again later`;
    case 'gone':
      return 'the group is not there any more';
    case 'invalid':
      return `${service} does not take this capacity; its bounds may have changed since they were read`;
    case 'invalid-cursor':
      return `the cursor is not one of ${service}, or is too old: begin without a cursor`;
    case 'denied':
      return service === 'EKS'
        ? 'the role of this function may not do this to the node group of EKS; the parameter eksCluster of the deployment names its cluster'
        : 'the role of this function may not do this to the group; see the roles of the deployment';
  }
}

const namesOf = ({ eksClusterName: clusterName, nodegroupName }: EksNodegroup) => ({
  clusterName,
  nodegroupName,
});

/**
 * Begins an update of the sizes of a managed node group; those that are not given stay as they are. EKS needs some seconds for it, and
 * refuses another update meanwhile.
 */
export async function updateNodegroupSizes(
  client: EKSClient,
  nodegroup: EksNodegroup,
  scalingConfig: NodegroupScalingConfig,
): Promise<void> {
  await client.send(new UpdateNodegroupConfigCommand({ ...namesOf(nodegroup), scalingConfig }));
}

/** Reads what EKS reports about a managed node group. */
export async function readNodegroup(client: EKSClient, nodegroup: EksNodegroup): Promise<NodegroupState> {
  const { nodegroup: found, $metadata } = await client.send(new DescribeNodegroupCommand(namesOf(nodegroup)));
  const { status, health } = required(found, { name: 'nodegroup', $metadata });
  return {
    ...nodegroup,
    status: status ?? '',
    healthIssues: (health?.issues ?? []).map(({ code = '', message = '' }) => `${code}: ${message}`),
  };
}
