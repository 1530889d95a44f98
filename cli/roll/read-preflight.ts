import { readHistory } from '../../shared/aws/activities.ts';
import { readNamedAlarms } from '../../shared/aws/alarms.ts';
import type { AutoScalingGroup } from '../../shared/groups/group.ts';
import { hookProblems } from '../../shared/problems/hook-problems.ts';
import { whyUnmanaged } from '../../shared/problems/tag-problems.ts';
import type { TargetReading } from '../../shared/roll/launches.ts';
import { type Preflight, type PreflightGroup, planPreflight } from '../../shared/roll/preflight.ts';
import { rollMembers } from '../../shared/roll/progress.ts';
import type { Roll, RollGroup } from '../../shared/roll/roll.ts';
import { rollWith, type StoredRoll } from '../../shared/roll/rolls-in.ts';
import type { CliContext } from '../context.ts';
import type { RollAccess } from './access.ts';
import type { RollAccessFlags } from './access-flags.ts';
import { withOtherGroups } from './groups.ts';
import { readCluster } from './read-cluster.ts';
import { withWarmPools } from './warm-pools.ts';

type Wanted = Omit<Roll, 'groups' | 'startedAt' | 'wanted'>;

export interface PreflightRequest {
  readonly wanted: Wanted;
  readonly groups: readonly AutoScalingGroup[];
  /** All rolls of the cluster. */
  readonly rolls: readonly StoredRoll[];
}

/** A roll that may begin, with what it meets. */
export interface ReadPreflight {
  readonly roll: Roll;
  readonly preflight: Preflight;
  readonly warnings: readonly string[];
}

const dayMilliseconds = 86_400_000;

/** Reads what a roll depends on, and judges it. What the groups launch is that of the begin. */
export async function readPreflight(
  { wanted, groups, rolls }: PreflightRequest,
  access: RollAccess,
  flags: RollAccessFlags,
  context: CliContext,
): Promise<ReadPreflight> {
  const { launches, clusterName } = access;
  const startedAt = context.clock.now();
  const pooled = await withWarmPools(groups, access);
  const ids = pooled.groups.flatMap(({ instances }) => instances.map(({ instanceId }) => instanceId));
  const [targets, instances, cluster, alarms, facts] = await Promise.all([
    launches.readTargets(groups),
    launches.readInstances(ids),
    readCluster(await withOtherGroups(groups, access), clusterName, flags, context),
    readNamedAlarms(access.alarms, wanted.stopOn),
    Promise.all(groups.map((group) => readGroup(group, startedAt, access))),
  ]);
  const roll: Roll = {
    ...wanted,
    groups: groups.map((group) => rollGroupOf(group, targets)),
    startedAt,
    wanted: 'run',
  };
  const preflight = planPreflight({
    roll,
    groups: facts.map((one): PreflightGroup => {
      const name = one.group.autoScalingGroupName;
      return { ...one, target: targets.get(name) ?? unread, otherRoll: rollWith(name, rolls) };
    }),
    members: rollMembers(pooled.groups, instances, cluster.nodes),
    cluster,
    alarms,
  });
  return { roll, preflight, warnings: [...cluster.warnings, ...pooled.warnings] };
}

const unread: TargetReading = { unknown: 'it was not read' };

/** A group with what it launches, for the parameter of a roll. */
export function rollGroupOf(
  { autoScalingGroupName }: AutoScalingGroup,
  targets: ReadonlyMap<string, TargetReading>,
): RollGroup {
  const target = targets.get(autoScalingGroupName) ?? unread;
  return { autoScalingGroupName, ...(!('unknown' in target) && { target }) };
}

async function readGroup(
  group: AutoScalingGroup,
  now: number,
  access: RollAccess,
): Promise<Omit<PreflightGroup, 'target' | 'otherRoll'>> {
  const { client, launches, clusterName, describeHooks } = access;
  const name = group.autoScalingGroupName;
  const [hooks, activeRefresh, failedLaunches, history] = await Promise.all([
    describeHooks(name),
    launches.findActiveRefresh(name),
    launches.readFailedLaunches(name, now - dayMilliseconds),
    readHistory(client, name),
  ]);
  return {
    group,
    whyUnmanaged: whyUnmanaged(group, clusterName),
    hookProblems: hookProblems(group, hooks, access),
    activeRefresh,
    failedLaunches,
    history,
  };
}
