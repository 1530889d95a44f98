import type { Node } from 'kubernetes-types/core/v1.d.ts';
import { describeHooks, readGroups } from '../../shared/aws/auto-scaling.ts';
import { warmPoolMembers } from '../../shared/aws/warm-pools.ts';
import { messageOf } from '../../shared/base/message-of.ts';
import { readFloorRecord } from '../../shared/capacity/holds/floor-record.ts';
import { floorParameterOf, holdsIn, holdsOfGroup } from '../../shared/capacity/holds/parameters.ts';
import { readDefinition } from '../../shared/capacity/schedules/schedule.ts';
import { type AutoScalingGroup, type GroupMember, isManaged } from '../../shared/groups/group.ts';
import { instanceIdOf } from '../../shared/nodes/node-names.ts';
import { ownGroup } from '../auto-scaling/groups.ts';
import { isOtherKubeconfig } from '../auto-scaling/other-cluster.ts';
import { CliError, exitCodes } from '../exit-codes.ts';
import { isOurHook, waitsOf } from '../release/waits.ts';
import type { LeaveAccess } from './access.ts';
import { missingApprovals } from './approvers.ts';
import { exemptionOf, nodeTracesOf } from './node-traces.ts';
import type { ClusterObservation, GroupObservation } from './observation.ts';

/**
 * Reads what Drover has on a group. All or nothing: what cannot be read would look as if it were not there.
 *
 * @throws CliError if the group does not exist, another cluster owns it, or the cluster cannot be read.
 */
export async function observeGroup(
  access: LeaveAccess,
  name: string,
  now: number,
): Promise<GroupObservation> {
  const { autoScaling, holds, schedules } = access;
  const group = await wholeGroup(access, name);
  const listed = readGroups(autoScaling.client, autoScaling.clusterName);
  const [hooks, records, texts, record, managed, cluster] = await Promise.all([
    describeHooks(autoScaling.client, name),
    schedules.list(),
    holds.parameters.listBelow(holdsOfGroup(holds.paths, name)),
    holds.parameters.read(floorParameterOf(holds.paths, name)),
    listed,
    observeCluster(access, group, listed),
  ]);
  return {
    group,
    ourHooks: hooks.filter((hook) => isOurHook(hook, autoScaling)),
    waits: waitsOf(group, hooks, autoScaling),
    schedules: records.filter(({ input }) => groupOfInput(input) === name).map((one) => one.name),
    holds: { holds: holdsIn(texts, holds.paths), record: readFloorRecord(record) },
    cluster,
    isLast: isLastOf(managed, group, autoScaling.clusterName),
    now,
  };
}

/** What waits on a group, and its tags: the part of the observation that changes within seconds. */
export async function observeWaits(
  access: LeaveAccess,
  name: string,
): Promise<Pick<GroupObservation, 'waits'> & Pick<AutoScalingGroup, 'tags'>> {
  const { autoScaling } = access;
  const [group, hooks] = await Promise.all([
    wholeGroup(access, name),
    describeHooks(autoScaling.client, name),
  ]);
  return { waits: waitsOf(group, hooks, autoScaling), tags: group.tags };
}

function groupOfInput(input: string): string | undefined {
  const reading = readDefinition(input);
  return reading.kind === 'definition' ? reading.definition.autoScalingGroupName : undefined;
}

/** With the members of its warm pool. */
async function wholeGroup({ autoScaling }: LeaveAccess, name: string): Promise<AutoScalingGroup> {
  const group = await ownGroup(autoScaling, name);
  if (!group.hasWarmPool) return group;
  return { ...group, instances: [...group.instances, ...(await warmPoolMembers(autoScaling.client, name))] };
}

/** Whether no other group of the cluster is managed. */
const isLastOf = (
  listed: readonly AutoScalingGroup[],
  { autoScalingGroupName }: AutoScalingGroup,
  clusterName: string,
): boolean =>
  listed.every((one) => one.autoScalingGroupName === autoScalingGroupName || !isManaged(one, clusterName));

async function observeCluster(
  { cluster, autoScaling: { clusterName } }: LeaveAccess,
  group: AutoScalingGroup,
  /** The groups of the cluster. */
  listed: Promise<readonly AutoScalingGroup[]>,
): Promise<ClusterObservation | undefined> {
  if (cluster === undefined) return undefined;
  const { nodes, approvals } = await readCluster(cluster);
  const groups = await listed;
  const { instances } = group;
  assertOwnKubeconfig([...instances, ...groups.flatMap((one) => one.instances)], nodes);
  const ids = new Set(instances.map(({ instanceId }) => instanceId));
  const isOfGroup = ({ spec }: Pick<Node, 'spec'>): boolean => ids.has(instanceIdOf(spec?.providerID) ?? '');
  // After the last group no Node is exempted from anything: kube-controller-manager approves again.
  const exemptions = isLastOf(groups, group, clusterName)
    ? nodes.filter((node) => !isOfGroup(node)).flatMap((node) => exemptionOf(node) ?? [])
    : [];
  const traces = nodes.filter(isOfGroup).flatMap((node) => nodeTracesOf(node) ?? []);
  return {
    traces: [...traces, ...exemptions],
    missingApprovals: approvals.kinds,
    needsAutoapprover: approvals.isForAutoapprover,
  };
}

async function readCluster(cluster: NonNullable<LeaveAccess['cluster']>) {
  try {
    const { server } = await cluster.connections.connect();
    const [nodes, approvals] = await Promise.all([
      cluster.listNodes('consistent'),
      missingApprovals(cluster.api, server),
    ]);
    return { nodes, approvals };
  } catch (cause) {
    throw new CliError(
      `the cluster cannot be read, so that Nodes would stay cordoned: ${messageOf(cause)}. Give --without-cluster if it is gone for good`,
      exitCodes.failed,
    );
  }
}

/** @throws CliError if the kubeconfig is that of another cluster, whose Nodes and approvers would be changed. */
function assertOwnKubeconfig(members: readonly GroupMember[], nodes: readonly Pick<Node, 'spec'>[]): void {
  const nodeInstanceIds = nodes.map(({ spec }) => instanceIdOf(spec?.providerID));
  if (isOtherKubeconfig(members, nodeInstanceIds))
    throw new CliError(
      'no instance of the groups is a Node of the cluster that the kubeconfig names: give --kubeconfig or --context of their cluster, or --without-cluster if it is gone for good',
      exitCodes.failed,
    );
}
