import type { Node } from 'kubernetes-types/core/v1.d.ts';
import { type GroupHolds } from '../../../shared/capacity/holds/read-holds.ts';
import { type ScheduleReading } from '../../../shared/capacity/schedules/schedule.ts';
import { type AutoScalingGroup } from '../../../shared/lifecycle/group.ts';
import { withWarmPools } from '../../../shared/lifecycle/warm-pools.ts';
import { hooksOf } from '../../auto-scaling/groups.ts';
import { type Part, partReader, valueOf } from '../look/part.ts';
import type { DirectAccess } from './access.ts';
import { markedIn } from './marked-in.ts';
import { groupsOf, holdsOf, launchesOf, machinesOf, schedulesOf } from './read-account.ts';
import { clusterReader } from './read-cluster.ts';
import type { DirectReading } from './reading.ts';

/** A launch takes minutes, and its activities are a call for each group. */
const launchesAgeSeconds = 30;
const hourSeconds = 3600;

/** Reads the account and the cluster again and again: first what depends on nothing, then what depends on groups and Nodes. */
export function directReader(access: DirectAccess): () => Promise<DirectReading> {
  const { clock, autoScaling, cluster, region, credentialParameter } = access;
  const { leavingHookName, joiningHookName, etcdHookName } = autoScaling;
  const each = { clock };
  const readAccountId = partReader({ clock, maximumAgeSeconds: hourSeconds }, access.readAccountId);
  const readSeenGroups = partReader(each, () => groupsOf(autoScaling));
  const readHooks = partReader(each, (groups: readonly AutoScalingGroup[]) => hooksOf(autoScaling, groups));
  const readHolds = partReader(each, () => holdsOf(access));
  const readSchedules = partReader(each, () => schedulesOf(access));
  const readCredential = partReader(each, () => access.readModifiedAt(credentialParameter));
  const readNodes = partReader(each, () => cluster.listNodes());
  const readMembers = partReader(each, (groups: readonly AutoScalingGroup[], nodes: readonly Node[]) =>
    withWarmPools(autoScaling, groups, leavingInstances(nodes)),
  );
  const readMachines = partReader(each, (ids: readonly string[]) => machinesOf(access, ids));
  const readLaunches = partReader(
    { clock, maximumAgeSeconds: launchesAgeSeconds },
    (names: readonly string[]) => launchesOf(access, names),
  );
  const readCluster = clusterReader(access);
  return async () => {
    const [accountId, groups, holds, schedules, credential, nodes] = await Promise.all([
      readAccountId(),
      readSeenGroups(),
      readHolds(),
      readSchedules(),
      readCredential(),
      readNodes(),
    ]);
    const managed = valueOf(groups)?.managed;
    const [hooks, members, machines, launches, clusterParts] = await Promise.all([
      managed && readHooks(managed),
      managed && readMembers(managed, valueOf(nodes) ?? []),
      managed && readMachines(idsOf(managed)),
      managed && readLaunches(launching(managed, holds, schedules)),
      nodes.kind === 'known' ? readCluster(nodes.value, managed ?? []) : undefined,
    ]);
    return {
      at: clock.now(),
      region,
      clusterName: autoScaling.clusterName,
      hookNames: { leavingHookName, joiningHookName, etcdHookName },
      credentialParameter,
      accountId,
      groups,
      holds,
      schedules,
      credential,
      nodes,
      ...(hooks && { hooks }),
      ...(members && { members }),
      ...(machines && { machines }),
      ...(launches && { launches }),
      ...(clusterParts && { cluster: clusterParts }),
    };
  };
}

/** The groups whose launches matter to a hold or a schedule. */
function launching(
  groups: readonly AutoScalingGroup[],
  holds: Part<ReadonlyMap<string, GroupHolds>>,
  schedules: Part<readonly ScheduleReading[]>,
): readonly string[] {
  const held = valueOf(holds);
  const scheduled = new Set(
    valueOf(schedules)?.flatMap((one) =>
      one.kind === 'schedule' ? [one.schedule.autoScalingGroupName] : [],
    ),
  );
  return groups
    .map(({ autoScalingGroupName }) => autoScalingGroupName)
    .filter((name) => scheduled.has(name) || (held?.get(name)?.holds.length ?? 0) > 0);
}

const leavingInstances = (nodes: readonly Node[]): readonly string[] =>
  markedIn(nodes).map(({ mark }) => mark.instanceId);

const idsOf = (groups: readonly AutoScalingGroup[]): readonly string[] =>
  groups.flatMap(({ instances }) => instances.map(({ instanceId }) => instanceId));
