import type { Node } from 'kubernetes-types/core/v1.d.ts';
import { readScheduledActions } from '../../../shared/aws/scheduled-actions.ts';
import { readWarmPoolWaits } from '../../../shared/aws/warm-pools.ts';
import type { GroupHolds } from '../../../shared/capacity/holds/floor-record.ts';
import type { ScheduleReading } from '../../../shared/capacity/schedules/schedule.ts';
import { withWarmPools } from '../../../shared/groups/auto-scaling.ts';
import type { AutoScalingGroup } from '../../../shared/groups/group.ts';
import { instanceIdOf } from '../../../shared/nodes/node-names.ts';
import { holdersIn } from '../../../shared/problems/approver-problems.ts';
import { readRolls } from '../../../shared/roll/change-roll.ts';
import type { StoredRoll } from '../../../shared/roll/rolls-in.ts';
import { needsFacts } from '../../../ui/server/views/roll.ts';
import { hooksOf } from '../../auto-scaling/groups.ts';
import { approvalsReader } from '../../observation/approvals.ts';
import { lostGroupsReader } from '../../observation/lost-groups.ts';
import { mapPart, type Part, partReader, valueOf } from '../../observation/part.ts';
import type { DirectAccess } from './access.ts';
import { markedIn } from './marked-in.ts';
import { groupsOf, holdsOf, launchesOf, machinesOf, schedulesOf } from './read-account.ts';
import { clusterReader } from './read-cluster.ts';
import type { DirectReading } from './reading.ts';

const hourSeconds = 3600;
/** What people change, and what is a call for each group or for each hundred instances: it is read less often. */
const settingsAgeSeconds = 60;
const slowAgeSeconds = 30;
const holdsAgeSeconds = 15;
/** What another viewer has read is used up to this age. */
const sharedAgeSeconds = 10;

/** Reads the account and the cluster again and again: first what depends on nothing, then what depends on groups and Nodes. */
export function directReader(access: DirectAccess): () => Promise<DirectReading> {
  const { clock, autoScaling, cluster, region } = access;
  const { leavingHookName, joiningHookName, etcdHookName, etcdLaunchHookName } = autoScaling;
  const each = { clock };
  const readAccountId = partReader({ clock, maximumAgeSeconds: hourSeconds }, access.readAccountId);
  const readSeenGroups = partReader(each, () => groupsOf(autoScaling));
  const readHooks = partReader(
    { clock, maximumAgeSeconds: settingsAgeSeconds, keyOf: ([groups]) => namesOf(groups).join() },
    (groups: readonly AutoScalingGroup[]) => hooksOf(autoScaling, groups),
  );
  const readHolds = partReader({ clock, maximumAgeSeconds: holdsAgeSeconds }, () => holdsOf(access));
  const readStoredRolls = partReader({ clock, maximumAgeSeconds: holdsAgeSeconds }, () =>
    readRolls(access.rolls),
  );
  const readRollLaunches = partReader(
    { clock, maximumAgeSeconds: slowAgeSeconds, keyOf: ([ids]) => ids.join() },
    access.launches.readInstances,
  );
  const readSchedules = partReader({ clock, maximumAgeSeconds: slowAgeSeconds }, () => schedulesOf(access));
  const readCredentials = partReader(
    { clock, maximumAgeSeconds: settingsAgeSeconds },
    access.readCredentials,
  );
  const readQueues = partReader({ clock, maximumAgeSeconds: slowAgeSeconds }, access.readQueues);
  const readPasses = partReader(
    { clock, maximumAgeSeconds: slowAgeSeconds, keyOf: ([stage]) => stage },
    access.readPasses,
  );
  const readActions = partReader({ clock, maximumAgeSeconds: settingsAgeSeconds }, () =>
    readScheduledActions(autoScaling.client),
  );
  const readAlarms = partReader({ clock, maximumAgeSeconds: sharedAgeSeconds }, access.readAlarms);
  const readNodes = partReader(each, () => cluster.listNodes());
  const readMembers = partReader(each, (groups: readonly AutoScalingGroup[], nodes: readonly Node[]) =>
    withWarmPools(autoScaling, groups, leavingInstances(nodes)),
  );
  const readWarmWaits = partReader(
    { clock, maximumAgeSeconds: slowAgeSeconds, keyOf: ([groups]) => namesOf(groups).join() },
    (groups: readonly AutoScalingGroup[]) => readWarmPoolWaits(autoScaling.client, groups),
  );
  const readMachines = partReader(
    { clock, maximumAgeSeconds: slowAgeSeconds, keyOf: ([groups]) => conditionsOf(groups) },
    (groups: readonly AutoScalingGroup[]) => machinesOf(access, idsOf(groups)),
  );
  const readLaunches = partReader(
    { clock, maximumAgeSeconds: slowAgeSeconds, keyOf: ([names]) => names.join() },
    (names: readonly string[]) => launchesOf(access, names),
  );
  const readCluster = clusterReader(access);
  const readLost = lostGroupsReader(() => autoScaling, clock);
  const readApprovals = approvalsReader({
    access: () => autoScaling,
    readApprovals: access.readApprovals,
    clock,
  });
  return async () => {
    const [accountId, groups, holds, rolls, schedules, scheduledActions, credentials, queues, alarms, nodes] =
      await Promise.all([
        readAccountId(),
        readSeenGroups(),
        readHolds(),
        readStoredRolls(),
        readSchedules(),
        readActions(),
        readCredentials(),
        readQueues(),
        readAlarms(),
        readNodes(),
      ]);
    const seen = valueOf(groups);
    const managed = seen?.managed;
    const stage = valueOf(queues)?.[0]?.stage;
    const lost =
      seen === undefined || seen.managed.length + seen.others.length === 0
        ? undefined
        : await readLost(nodeInstances(valueOf(nodes) ?? []), [...seen.managed, ...seen.others]);
    const replaced = managed ? idsOf(rolledOf(managed, valueOf(rolls) ?? [])) : [];
    const [hooks, members, warmWaits, machines, launches, rollLaunches, passes, clusterParts, approvals] =
      await Promise.all([
        seen && readHooks([...seen.managed, ...seen.others, ...((lost && valueOf(lost)) ?? [])]),
        managed && readMembers(managed, valueOf(nodes) ?? []),
        managed && readWarmWaits(managed),
        managed && readMachines(managed),
        managed && readLaunches(launching(managed, holds, schedules)),
        replaced.length === 0 ? undefined : readRollLaunches(replaced),
        stage === undefined ? undefined : readPasses(stage),
        readCluster(nodes, managed ?? []),
        readApprovals(
          mapPart(nodes, holdersIn),
          mapPart(groups, (one) => one.managed),
        ),
      ]);
    return {
      at: clock.now(),
      region,
      clusterName: autoScaling.clusterName,
      hookNames: { leavingHookName, joiningHookName, etcdHookName, etcdLaunchHookName },
      joinTimeoutSeconds: access.joinTimeoutSeconds,
      maxSizeLimit: access.maxSizeLimit,
      accountId,
      groups,
      holds,
      rolls,
      schedules,
      scheduledActions,
      credentials,
      queues,
      alarms,
      nodes,
      ...(lost && { lost }),
      ...(hooks && { hooks }),
      ...(members && { members }),
      ...(warmWaits && { warmWaits }),
      ...(machines && { machines }),
      ...(launches && { launches }),
      ...(rollLaunches && { rollLaunches }),
      ...(passes && { passes }),
      ...(clusterParts && { cluster: clusterParts }),
      ...(approvals && { approvals }),
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
  return namesOf(groups).filter((name) => scheduled.has(name) || (held?.get(name)?.holds.length ?? 0) > 0);
}

/** The groups of the rolls that have not ended. */
function rolledOf(
  groups: readonly AutoScalingGroup[],
  rolls: readonly StoredRoll[],
): readonly AutoScalingGroup[] {
  const names = new Set(
    rolls
      .filter(needsFacts)
      .flatMap(({ ask }) =>
        ask.kind === 'read' ? ask.value.groups.map(({ autoScalingGroupName }) => autoScalingGroupName) : [],
      ),
  );
  return groups.filter(({ autoScalingGroupName }) => names.has(autoScalingGroupName));
}

const nodeInstances = (nodes: readonly Node[]): readonly string[] =>
  nodes.flatMap(({ spec }) => instanceIdOf(spec?.providerID) ?? []);

const leavingInstances = (nodes: readonly Node[]): readonly string[] =>
  markedIn(nodes).map(({ mark }) => mark.instanceId);

const namesOf = (groups: readonly AutoScalingGroup[]): readonly string[] =>
  groups.map(({ autoScalingGroupName }) => autoScalingGroupName);

/** A machine whose instance has changed is read at once. */
const conditionsOf = (groups: readonly AutoScalingGroup[]): string =>
  groups
    .flatMap(({ instances }) =>
      instances.map(({ instanceId, lifecycleState }) => `${instanceId} ${lifecycleState}`),
    )
    .join();

const idsOf = (groups: readonly AutoScalingGroup[]): readonly string[] =>
  groups.flatMap(({ instances }) => instances.map(({ instanceId }) => instanceId));
