import { readHistory } from '../../shared/aws/activities.ts';
import { readNamedAlarms } from '../../shared/aws/alarms.ts';
import { createPlanLaunches } from '../../shared/aws/plan-launches.ts';
import { withWarmPools } from '../../shared/aws/pooled-groups.ts';
import type { AutoScalingGroup } from '../../shared/groups/group.ts';
import { listBudgetsIfAllowed } from '../../shared/kubernetes/all-budgets.ts';
import { createPlanCluster } from '../../shared/kubernetes/plan-cluster.ts';
import { rollProblems } from '../../shared/problems/roll-problems.ts';
import { type ReadCluster, readCluster, readLaunchedTypes } from '../../shared/roll/read-cluster.ts';
import type { PreflightSources } from '../../shared/roll/read-preflight.ts';
import { awsConnection } from '../../shared/runtime/aws-connection.ts';
import { connectionsTo } from '../cluster.ts';
import type { CliContext } from '../context.ts';
import { environmentOf, hostOf } from '../host.ts';
import type { RollAccess } from './access.ts';
import type { RollAccessFlags } from './access-flags.ts';
import { withOtherGroups } from './groups.ts';

/** What a preflight of these groups reads, with the credentials and the kubeconfig of this machine. */
export const preflightSources = (
  groups: readonly AutoScalingGroup[],
  access: RollAccess,
  flags: RollAccessFlags,
  context: CliContext,
): PreflightSources => ({
  launches: access.launches,
  readProblems: async (group) =>
    rollProblems(group, await access.describeHooks(group.autoScalingGroupName), access),
  withWarmPools: (pooled) => withWarmPools(pooled, access),
  readHistory: (name) => readHistory(access.client, name),
  readAlarms: (names) => readNamedAlarms(access.alarms, names),
  readCluster: () => clusterAround(groups, access, flags, context),
});

/**
 * The cluster that the pods of these groups move in.
 *
 * @throws KubernetesError if the Nodes or the pods cannot be read.
 */
export async function clusterAround(
  groups: readonly AutoScalingGroup[],
  access: RollAccess,
  flags: RollAccessFlags,
  context: CliContext,
): Promise<ReadCluster> {
  const api = {
    connections: connectionsTo(flags, context),
    sendHttp: context.sendHttp,
    clock: context.clock,
  };
  const connection = awsConnection(hostOf(context, environmentOf(flags, context)));
  return await readCluster(await withOtherGroups(groups, access), {
    cluster: createPlanCluster(api),
    listBudgets: () => listBudgetsIfAllowed(api),
    clusterName: access.clusterName,
    readTypes: () => readLaunchedTypes(createPlanLaunches(connection), groups),
  });
}
