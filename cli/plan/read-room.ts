import { readGroups } from '../../shared/aws/auto-scaling.ts';
import { createPlanLaunches } from '../../shared/aws/plan-launches.ts';
import type { ManifestSurroundings } from '../../shared/capacity/manifests/workload.ts';
import { isWorkerGroup } from '../../shared/capacity/plan-input/group-growth.ts';
import type { PlanInput, PlanLaunches } from '../../shared/capacity/plan-input/plan-input.ts';
import { readPlanInput } from '../../shared/capacity/plan-input/read-plan-input.ts';
import type { AutoScalingGroup } from '../../shared/groups/group.ts';
import { createPlanCluster } from '../../shared/kubernetes/plan-cluster.ts';
import { awsConnection } from '../../shared/runtime/aws-connection.ts';
import { autoScalingAccess } from '../auto-scaling/access.ts';
import { noManagedGroup } from '../auto-scaling/no-managed-group.ts';
import { connectionsTo } from '../cluster.ts';
import type { CliContext } from '../context.ts';
import { CliError, exitCodes } from '../exit-codes.ts';
import { environmentOf, hostOf } from '../host.ts';
import type { RoomFlags } from './flags.ts';
import { withManifests } from './with-manifests.ts';

/** The groups of a cluster as AWS has them. */
export interface RoomGroups {
  readonly clusterName: string;
  /** Of any role. */
  readonly all: readonly AutoScalingGroup[];
  readonly launches: PlanLaunches;
}

/** The cluster with its nodes and pods, and the groups that may grow. */
export interface Room {
  readonly input: PlanInput;
  readonly groups: readonly AutoScalingGroup[];
}

/** A cluster whose groups are not read: only free room counts. */
export const withoutGroups: RoomGroups = {
  clusterName: '',
  all: [],
  launches: { readLaunches: () => Promise.resolve(new Map()) },
};

/**
 * Reads the groups with this machine's AWS credentials.
 *
 * @throws ConfigError with all that is wrong with the flags and the environment; nothing is requested yet.
 */
export async function readRoomGroups(flags: RoomFlags, context: CliContext): Promise<RoomGroups> {
  const { client, clusterName } = autoScalingAccess(flags, context);
  const all = await readGroups(client, clusterName);
  if (!all.some((group) => isWorkerGroup(group, clusterName)))
    throw new CliError(noManagedGroup(clusterName), exitCodes.failed);
  const connection = awsConnection(hostOf(context, environmentOf(flags, context)));
  return { clusterName, all, launches: createPlanLaunches(connection) };
}

export interface RoomRequest {
  readonly from: RoomGroups;
  /** The only groups that may grow, preferred ones first; undefined for all worker groups by name. */
  readonly chosen?: readonly string[];
  /** The names of the only groups that may grow, without an order. */
  readonly growing?: ReadonlySet<string>;
  /** What the manifests of the plan add to the cluster. */
  readonly manifests?: ManifestSurroundings;
}

/**
 * Reads the nodes and the pods of the cluster, and what their placement depends on.
 *
 * @throws KubernetesError if they cannot be read: nodes without their pods would look empty.
 */
export async function readRoom(
  { from, chosen, growing, manifests }: RoomRequest,
  flags: RoomFlags,
  context: CliContext,
): Promise<Room> {
  const { clusterName, all, launches } = from;
  const workers = all.filter((group) => isWorkerGroup(group, clusterName));
  const groups = chosen === undefined ? workers : chosen.map((name) => chosenGroup(name, workers));
  const api = {
    connections: connectionsTo(flags, context),
    sendHttp: context.sendHttp,
    clock: context.clock,
  };
  const cluster = createPlanCluster(api);
  const read = await readPlanInput({
    cluster: manifests === undefined ? cluster : withManifests(cluster, manifests),
    launches,
    groups: all,
    clusterName,
    growing: chosen ? new Set(chosen) : growing,
  });
  return { groups, input: chosen === undefined ? read : { ...read, groups: inOrder(read.groups, chosen) } };
}

/** @throws CliError `usage` */
function chosenGroup(name: string, workers: readonly AutoScalingGroup[]): AutoScalingGroup {
  const found = workers.find((group) => group.autoScalingGroupName === name);
  if (found !== undefined) return found;
  const names = workers.map(({ autoScalingGroupName }) => autoScalingGroupName).toSorted();
  throw new CliError(`--group ${name}: the worker groups are ${names.join(', ')}`, exitCodes.usage);
}

function inOrder(groups: PlanInput['groups'], names: readonly string[]): PlanInput['groups'] {
  const byName = new Map(groups.map((group) => [group.autoScalingGroupName, group]));
  return names.flatMap((name) => byName.get(name) ?? []);
}
