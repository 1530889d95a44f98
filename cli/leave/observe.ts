import { describeGroups, describeHooks, readGroups } from '../../shared/aws/auto-scaling.ts';
import { warmPoolMembers } from '../../shared/aws/warm-pools.ts';
import { messageOf } from '../../shared/base/message-of.ts';
import { readFloorRecord } from '../../shared/capacity/holds/floor-record.ts';
import { floorParameterOf, holdsIn, holdsOfGroup } from '../../shared/capacity/holds/parameters.ts';
import { readDefinition } from '../../shared/capacity/schedules/schedule.ts';
import { type AutoScalingGroup, isManaged } from '../../shared/groups/group.ts';
import { instanceIdOf } from '../../shared/nodes/node-names.ts';
import { otherClusterOf } from '../auto-scaling/other-cluster.ts';
import { CliError, exitCodes } from '../exit-codes.ts';
import { isOurHook, waitsOf } from '../release/waits.ts';
import type { LeaveAccess } from './access.ts';
import { missingApprovals } from './approvers.ts';
import { nodeTracesOf } from './node-traces.ts';
import type { ClusterObservation, GroupObservation } from './observation.ts';

/**
 * Reads what Drover has on a group. All or nothing: what cannot be read would look as if it were not there.
 *
 * @throws CliError if there is no such group, another cluster owns it, or the cluster cannot be read.
 */
export async function observeGroup(
  access: LeaveAccess,
  name: string,
  now: number,
): Promise<GroupObservation> {
  const { autoScaling, holds, schedules } = access;
  const group = await ownGroup(access, name);
  const [hooks, records, texts, record, managed, cluster] = await Promise.all([
    describeHooks(autoScaling.client, name),
    schedules.list(),
    holds.parameters.listBelow(holdsOfGroup(holds.paths, name)),
    holds.parameters.read(floorParameterOf(holds.paths, name)),
    readGroups(autoScaling.client, autoScaling.clusterName),
    observeCluster(access, group),
  ]);
  return {
    group,
    ourHooks: hooks.filter((hook) => isOurHook(hook, autoScaling)),
    waits: waitsOf(group, hooks, autoScaling),
    schedules: records.filter(({ input }) => groupOfInput(input) === name).map((one) => one.name),
    holds: { holds: holdsIn(texts, holds.paths), record: readFloorRecord(record) },
    cluster,
    isLast: managed.every(
      (one) => one.autoScalingGroupName === name || !isManaged(one, autoScaling.clusterName),
    ),
    now,
  };
}

function groupOfInput(input: string): string | undefined {
  const reading = readDefinition(input);
  return reading.kind === 'definition' ? reading.definition.autoScalingGroupName : undefined;
}

/** With the members of its warm pool. A group that has lost its tags is taken: a run that was killed may have removed them. */
async function ownGroup({ autoScaling }: LeaveAccess, name: string): Promise<AutoScalingGroup> {
  const { client, clusterName } = autoScaling;
  const { groups } = await describeGroups(client, { AutoScalingGroupNames: [name] });
  const [group] = groups;
  if (!group)
    throw new CliError(
      `there is no Auto Scaling group ${name} in this account and region: drover hooks lists the managed groups`,
      exitCodes.failed,
    );
  const other = otherClusterOf(group.tags, clusterName);
  if (other !== undefined)
    throw new CliError(
      `${name} belongs to cluster ${other}: name that cluster with --cluster if you mean it`,
      exitCodes.failed,
    );
  if (!group.hasWarmPool) return group;
  return { ...group, instances: [...group.instances, ...(await warmPoolMembers(client, name))] };
}

async function observeCluster(
  { cluster }: LeaveAccess,
  { instances }: AutoScalingGroup,
): Promise<ClusterObservation | undefined> {
  if (cluster === undefined) return undefined;
  try {
    const { server } = await cluster.connections.connect();
    const [nodes, approvals] = await Promise.all([
      cluster.listNodes('consistent'),
      missingApprovals(cluster.api, server),
    ]);
    const ids = new Set(instances.map(({ instanceId }) => instanceId));
    const traces = nodes
      .filter(({ spec }) => ids.has(instanceIdOf(spec?.providerID) ?? ''))
      .flatMap((node) => nodeTracesOf(node) ?? []);
    return { traces, missingApprovals: approvals };
  } catch (cause) {
    throw new CliError(
      `the cluster cannot be read, so that Nodes would stay cordoned: ${messageOf(cause)}. Give --without-cluster if it is gone for good`,
      exitCodes.failed,
    );
  }
}
