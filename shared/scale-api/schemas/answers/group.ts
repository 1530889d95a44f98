import * as z from 'zod/mini';
import { reasonsToLeave } from '../../../passes/leaving-notice.ts';

const count = z.int().check(z.nonnegative());

/** Unknown, because the API server did not respond. */
const unknown = z.object({
  status: z.literal('unknown'),
  reason: z.string().check(z.describe('Why the cluster did not answer')),
});

export const instanceCounts = z
  .object({ pending: count, inService: count, terminating: count, other: count })
  .check(z.meta({ id: 'InstanceCounts', description: 'Instances of the group by phase' }));

export const nodeCounts = z
  .discriminatedUnion('status', [
    z.object({
      status: z.literal('seen'),
      ready: count.check(z.describe('Ready and not leaving')),
      notReady: count,
      leaving: count.check(z.describe('Marked as leaving by Drover')),
      missing: count.check(
        z.describe('In service without a Node that has its providerID; members of etcd need none'),
      ),
    }),
    unknown,
  ])
  .check(z.meta({ id: 'NodeCounts', description: 'Nodes of the instances in service' }));

const groupFields = {
  autoScalingGroupName: z.string(),
  role: z.enum(['worker', 'control-plane', 'etcd']),
  minSize: count,
  maxSize: count,
  desiredCapacity: count,
  countsUnits: z.optional(
    z
      .literal(true)
      .check(
        z.describe('The sizes are units of capacity (weights, vCPUs or memory), not numbers of instances'),
      ),
  ),
  instances: instanceCounts,
  nodes: nodeCounts,
};

export const groupSummary = z
  .object(groupFields)
  .check(z.meta({ id: 'GroupSummary', description: 'A managed Auto Scaling group' }));

export const groupList = z
  .object({ groups: z.array(groupSummary) })
  .check(z.meta({ id: 'GroupList', description: 'Every managed group of this cluster' }));

const leaving = z
  .object({
    cause: z.enum(reasonsToLeave),
    since: z.iso.datetime(),
    until: z.optional(z.iso.datetime()),
    waitingFor: z.array(z.string()),
  })
  .check(
    z.meta({ id: 'Leaving', description: "Drover's mark on a leaving node, and the pods that it waits for" }),
  );

const node = z
  .discriminatedUnion('status', [
    z.object({
      status: z.literal('found'),
      name: z.string(),
      providerID: z.string(),
      createdAt: z.optional(z.iso.datetime()),
      ready: z.boolean(),
      unschedulable: z.boolean(),
      leaving: z.optional(leaving),
    }),
    z.object({ status: z.literal('none') }),
    unknown,
  ])
  .check(z.meta({ id: 'MemberNode', description: 'The Node whose providerID names the instance' }));

const memberFields = {
  instanceId: z.string(),
  lifecycleState: z.string().check(z.describe('The state in Auto Scaling, such as Terminating:Wait')),
  availabilityZone: z.string(),
  healthy: z.boolean(),
  node,
};

export const member = z
  .object(memberFields)
  .check(z.meta({ id: 'Member', description: 'An instance of the group with its Node' }));

const nodegroup = z
  .object({
    eksClusterName: z.string(),
    nodegroupName: z.string(),
    status: z
      .string()
      .check(z.describe('The status in EKS, such as ACTIVE or UPDATING. UNKNOWN if EKS could not be read')),
    healthIssues: z
      .array(z.string())
      .check(z.describe('The health issues that EKS reports, each with its code')),
    reason: z.optional(z.string().check(z.describe('Why EKS could not be read'))),
  })
  .check(z.meta({ id: 'Nodegroup', description: 'The managed node group of EKS that the group belongs to' }));

export const group = z
  .object({ ...groupFields, nodegroup: z.optional(nodegroup), members: z.array(member) })
  .check(z.meta({ id: 'Group', description: 'A managed group with its instances and their nodes' }));

export const instance = z
  .object({
    autoScalingGroupName: z.string(),
    ...memberFields,
    serves: z
      .boolean()
      .check(z.describe('The instance is in service, and its Node is Ready and not leaving')),
  })
  .check(z.meta({ id: 'Instance', description: 'An instance of a managed group with its Node' }));

export const instanceList = z
  .object({ instances: z.array(instance), nextCursor: z.optional(z.string()) })
  .check(z.meta({ id: 'InstanceList', description: 'A page of instances, by id' }));

const activity = z
  .object({
    activityId: z.string(),
    status: z.string().check(z.describe('The status in Auto Scaling, such as Successful or Failed')),
    description: z.string(),
    cause: z.string(),
    startedAt: z.iso.datetime(),
    endedAt: z.optional(z.iso.datetime()),
    statusMessage: z.optional(z.string().check(z.describe('Why the activity failed'))),
  })
  .check(z.meta({ id: 'Activity', description: 'A launch or termination, as Auto Scaling describes it' }));

export const activityList = z
  .object({ activities: z.array(activity), nextCursor: z.optional(z.string()) })
  .check(z.meta({ id: 'ActivityList', description: 'A page of activities, newest first' }));
