import type { AutoScalingGroup } from '../groups/group.ts';
import type { Asked } from './change-roll.ts';
import type { GroupHistory } from './expected-time.ts';
import type { GroupFacts, StopAlarms } from './group-findings.ts';
import type { RollLaunches, TargetReading } from './launches.ts';
import { type Preflight, type PreflightGroup, planPreflight } from './preflight.ts';
import { rollMembers } from './progress.ts';
import type { ReadCluster } from './read-cluster.ts';
import type { Roll, RollGroup } from './roll.ts';
import { rollWith, type StoredRoll } from './rolls-in.ts';

/** What a preflight reads. Methods reject with the errors of AWS and of the API server. */
export interface PreflightSources {
  readonly launches: RollLaunches;
  /** Whether Drover manages the group, and what is wrong with its hooks. */
  readonly readProblems: (
    group: AutoScalingGroup,
  ) => Promise<Pick<GroupFacts, 'whyUnmanaged' | 'hookProblems'>>;
  /** Adds the instances of warm pools, which a description of the groups does not list, and warns of pools that it cannot read. */
  readonly withWarmPools: (
    groups: readonly AutoScalingGroup[],
  ) => Promise<{ readonly groups: readonly AutoScalingGroup[]; readonly warnings: readonly string[] }>;
  readonly readHistory: (autoScalingGroupName: string) => Promise<GroupHistory>;
  readonly readAlarms: (names: readonly string[]) => Promise<StopAlarms>;
  readonly readCluster: () => Promise<ReadCluster>;
}

/** A roll apart from what its begin adds. */
export type WantedRoll = Omit<Roll, 'groups' | 'startedAt' | 'wanted'>;

export interface PreflightRequest {
  readonly wanted: WantedRoll;
  readonly groups: readonly AutoScalingGroup[];
  /** All rolls of the cluster. */
  readonly rolls: readonly StoredRoll[];
  /** When it begins, in epoch milliseconds. */
  readonly now: number;
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
  { wanted, groups, rolls, now }: PreflightRequest,
  sources: PreflightSources,
): Promise<ReadPreflight> {
  const { launches } = sources;
  const pooled = await sources.withWarmPools(groups);
  const ids = pooled.groups.flatMap(({ instances }) => instances.map(({ instanceId }) => instanceId));
  const [targets, instances, cluster, alarms, facts] = await Promise.all([
    launches.readTargets(groups),
    launches.readInstances(ids),
    sources.readCluster(),
    sources.readAlarms(wanted.stopOn),
    Promise.all(groups.map((group) => readGroup(group, now, sources))),
  ]);
  const roll: Roll = {
    ...wanted,
    groups: groups.map((group) => rollGroupOf(group, targets)),
    startedAt: Math.max(now, newestLaunchOf(instances) + 1),
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

/** What a roll that begins again launches and replaces: for the change `retarget`. */
export interface ReadRetarget {
  /** By group: one that is unknown is for the caller to judge. */
  readonly targets: ReadonlyMap<string, TargetReading>;
  readonly asked: Extract<Asked, { readonly kind: 'retarget' }>;
}

/** Reads what these groups launch now, and how their instances were launched. */
export async function readRetarget(
  groups: readonly AutoScalingGroup[],
  launches: Pick<RollLaunches, 'readTargets' | 'readInstances'>,
): Promise<ReadRetarget> {
  const ids = groups.flatMap(({ instances }) => instances.map(({ instanceId }) => instanceId));
  const [targets, instances] = await Promise.all([launches.readTargets(groups), launches.readInstances(ids)]);
  return {
    targets,
    asked: {
      kind: 'retarget',
      groups: groups.map((group) => rollGroupOf(group, targets)),
      newestLaunch: newestLaunchOf(instances),
    },
  };
}

/**
 * When the newest of these instances was launched, in epoch milliseconds; 0 without any. A roll begins after all that are there when people ask for
 * it, also if the clock of their computer is slow: otherwise those of a former template would count as its replacements. Pure.
 */
const newestLaunchOf = (instances: ReadonlyMap<string, { readonly launchedAt: number }>): number =>
  Math.max(0, ...[...instances.values()].map(({ launchedAt }) => launchedAt));

const unread: TargetReading = { unknown: 'it was not read' };

/** A group with what it launches, for the parameter of a roll. */
function rollGroupOf(
  { autoScalingGroupName }: AutoScalingGroup,
  targets: ReadonlyMap<string, TargetReading>,
): RollGroup {
  const target = targets.get(autoScalingGroupName) ?? unread;
  return { autoScalingGroupName, ...(!('unknown' in target) && { target }) };
}

async function readGroup(
  group: AutoScalingGroup,
  now: number,
  sources: PreflightSources,
): Promise<Omit<PreflightGroup, 'target' | 'otherRoll'>> {
  const { launches, readProblems, readHistory } = sources;
  const name = group.autoScalingGroupName;
  const [problems, activeRefresh, failedLaunches, history] = await Promise.all([
    readProblems(group),
    launches.findActiveRefresh(name),
    launches.readFailedLaunches(name, now - dayMilliseconds),
    readHistory(name),
  ]);
  return {
    group,
    ...problems,
    activeRefresh,
    failedLaunches,
    history,
  };
}
