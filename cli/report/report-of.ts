import { isoSeconds } from '../../shared/base/iso-seconds.ts';
import { type HoldsFound, holdsOf, type ReportedHold } from './fold/holds.ts';
import { type Join, joinsOf } from './fold/joins.ts';
import type { ActivityFact, FailedLaunches } from './fold/launches.ts';
import { failedLaunchesOf } from './fold/launches.ts';
import { type Leave, leavesOf } from './fold/leaves.ts';
import { sumOfWaits, type Waits } from './fold/waits.ts';
import type { Observed, Source } from './observed.ts';
import { type Percentiles, percentilesOf } from './percentiles.ts';
import { type Prices, priceOf } from './price.ts';

export interface ReportOptions {
  readonly cluster: string;
  readonly stage: string;
  /** Undefined for every group. */
  readonly group: string | undefined;
  readonly prices: Prices;
}

/** A part of the report, or why it is not known. */
export type Part<Value> = Source<Value>;

export interface Report {
  readonly version: 1;
  readonly cluster: string;
  readonly stage: string;
  readonly group: string | null;
  /** ISO 8601 in UTC. */
  readonly since: string;
  readonly until: string;
  readonly covers: Covers;
  readonly drains: Part<Drains>;
  readonly budgets: Part<readonly HoldingBudget[]>;
  readonly joins: Part<Joins>;
  readonly launches: Part<Launches>;
  readonly holds: Part<Holds>;
  readonly refusals: Part<readonly Refusals[]>;
}

export interface Covers {
  readonly logs: { readonly from: string | null; readonly to: string; readonly lines: number };
  readonly activities: { readonly from: string; readonly count: number } | null;
  /** What is not in the report, and why. */
  readonly missing: readonly string[];
}

/** What ended in the time of the report, and what goes on. */
export interface Drains {
  readonly groups: readonly DrainsOfGroup[];
  readonly waits: Waits;
  readonly stillLeaving: number;
  /** Their end is not in the logs. */
  readonly lost: number;
  readonly beganBefore: number;
  /** Instances that Auto Scaling terminated, and of which no leave is in the logs; null if the activities are not known. */
  readonly terminatedWithoutLeave: number | null;
  readonly leaves: readonly Leave[];
}

export interface DrainsOfGroup {
  /** `null`: the logs do not name it. */
  readonly group: string | null;
  readonly ended: number;
  readonly drained: number;
  readonly failed: number;
  /** The instance was gone before the end of its leave was logged. */
  readonly gone: number;
  readonly podsForced: number;
  /** From the mark to the end of the drain; null without drains. */
  readonly seconds: Percentiles | null;
}

export interface HoldingBudget {
  /** `namespace/name` of a PodDisruptionBudget. */
  readonly budget: string;
  readonly seconds: number;
  readonly nodes: number;
}

export interface Joins {
  readonly groups: readonly JoinsOfGroup[];
  readonly waits: Waits;
  readonly stillJoining: number;
  readonly lost: number;
  readonly joins: readonly Join[];
}

export interface JoinsOfGroup {
  readonly group: string | null;
  readonly joined: number;
  readonly abandoned: number;
  readonly over: number;
  readonly seconds: Percentiles | null;
}

export interface Launches {
  readonly launched: number;
  readonly terminated: number;
  readonly failed: readonly FailedLaunches[];
}

export interface Holds extends Pick<HoldsFound, 'inUnits' | 'unseenSeconds'> {
  readonly holds: readonly ReportedHold[];
  readonly hours: readonly HoursOfGroup[];
}

export interface HoursOfGroup {
  readonly group: string;
  readonly nodeHours: number;
  /** Null without a price. */
  readonly dollars: number | null;
}

export interface Refusals {
  readonly service: string;
  readonly operation: string;
  readonly count: number;
}

/** The report of what was observed. Pure. */
export function reportOf(observed: Observed, { cluster, stage, group, prices }: ReportOptions): Report {
  const { since, until } = observed;
  const isWanted = (of: string | undefined): boolean => group === undefined || of === group;
  const leaves = knownOf(observed.leaving, (spans) =>
    [...spans].flatMap(([id, passes]) => leavesOf(id, passes, observed)),
  );
  const activities = knownOf(observed.activities, (facts) => facts.filter((fact) => isWanted(fact.group)));
  const ofGroups = groupsOfInstances(observed);
  const own = knownOf(leaves, (all) =>
    all
      .map((leave) => ({ ...leave, group: leave.group ?? ofGroups.get(leave.instanceId) }))
      .filter((leave) => isWanted(leave.group)),
  );
  const joins = knownOf(observed.joining, (spans) =>
    [...spans]
      .flatMap(([id, passes]) => joinsOf(id, passes, until))
      .map((join) => ({ ...join, group: join.group ?? ofGroups.get(join.instanceId) }))
      .filter((join) => isWanted(join.group)),
  );
  return {
    version: 1,
    cluster,
    stage,
    group: group ?? null,
    since: isoSeconds(since),
    until: isoSeconds(until),
    covers: {
      ...observed.covers,
      activities:
        observed.covers.activities && activities.kind === 'known'
          ? { ...observed.covers.activities, count: activities.value.length }
          : observed.covers.activities,
    },
    drains: knownOf(own, (of) => drainsOf(of, { since, activities: ofNodes(activities, observed) })),
    budgets: knownOf(own, budgetsOf),
    joins: knownOf(joins, joinsFound),
    launches: knownOf(activities, launchesOf),
    holds: knownOf(observed.looks, (spans) => {
      const { holds, hours, ...rest } = holdsOf(spans, until);
      return {
        ...rest,
        holds: holds.filter((hold) => isWanted(hold.group)),
        hours: hours
          .filter((hour) => isWanted(hour.group))
          .map((hour) => ({ ...hour, dollars: priceOf(hour, prices) })),
      };
    }),
    refusals: observed.refusals,
  };
}

const knownOf = <Value, Result>(source: Source<Value>, result: (value: Value) => Result): Source<Result> =>
  source.kind === 'known' ? { kind: 'known', value: result(source.value) } : source;

/** Members of etcd leave without a drain. */
const ofNodes = (activities: Source<readonly ActivityFact[]>, { etcdGroups }: Observed): typeof activities =>
  knownOf(activities, (facts) => facts.filter(({ group }) => !etcdGroups.has(group)));

/** The group of an instance, for lines that do not name it. */
function groupsOfInstances({ activities, members }: Observed): ReadonlyMap<string, string> {
  const facts = activities.kind === 'known' ? activities.value : [];
  return new Map([
    ...facts.flatMap(({ instanceId, group }) =>
      instanceId === undefined ? [] : [[instanceId, group] as const],
    ),
    ...members,
  ]);
}

function drainsOf(
  leaves: readonly Leave[],
  { since, activities }: { readonly since: number; readonly activities: Source<readonly ActivityFact[]> },
): Drains {
  const left = new Set(leaves.map(({ instanceId }) => instanceId));
  const terminated =
    activities.kind === 'known' ? activities.value.filter(({ kind }) => kind === 'terminated') : undefined;
  return {
    groups: byGroup(leaves.filter(({ end }) => end !== undefined)).map(([group, ended]) => ({
      group,
      ended: ended.length,
      drained: ended.filter(({ result }) => result === 'drained').length,
      failed: ended.filter(({ result }) => result === 'failed').length,
      gone: ended.filter(({ result }) => result === 'gone').length,
      podsForced: ended.reduce((sum, { podsForced }) => sum + podsForced, 0),
      seconds: percentilesOf(ended.flatMap(({ drainSeconds }) => drainSeconds ?? [])) ?? null,
    })),
    waits: sumOfWaits(leaves.map(({ waits }) => waits)),
    stillLeaving: leaves.filter(({ result }) => result === 'leaving').length,
    lost: leaves.filter(({ result }) => result === 'lost').length,
    beganBefore: leaves.filter(({ from }) => from < since).length,
    terminatedWithoutLeave:
      terminated?.filter(({ instanceId }) => instanceId !== undefined && !left.has(instanceId)).length ??
      null,
    leaves: leaves.toSorted((one, other) => one.from - other.from),
  };
}

const byGroup = <Item extends { readonly group: string | undefined }>(
  items: readonly Item[],
): readonly (readonly [string | null, readonly Item[]])[] =>
  [...Map.groupBy(items, ({ group }) => group ?? null)].toSorted(([one], [other]) =>
    (one ?? '~').localeCompare(other ?? '~'),
  );

/** The budgets by how long they held nodes. */
function budgetsOf(leaves: readonly Leave[]): readonly HoldingBudget[] {
  const sums = sumOfWaits(leaves.map(({ budgets }) => budgets));
  return Object.entries(sums).map(([budget, seconds]) => ({
    budget,
    seconds: Math.round(seconds),
    nodes: leaves.filter(({ budgets }) => budgets[budget] !== undefined).length,
  }));
}

const joinsFound = (joins: readonly Join[]): Joins => ({
  groups: byGroup(joins.filter(({ end }) => end !== undefined)).map(([group, ended]) => ({
    group,
    joined: ended.filter(({ result }) => result === 'joined').length,
    abandoned: ended.filter(({ result }) => result === 'abandoned').length,
    over: ended.filter(({ result }) => result === 'over').length,
    seconds: percentilesOf(ended.flatMap(({ joinSeconds }) => joinSeconds ?? [])) ?? null,
  })),
  waits: sumOfWaits(joins.map(({ waits }) => waits)),
  stillJoining: joins.filter(({ result }) => result === 'joining').length,
  lost: joins.filter(({ result }) => result === 'lost').length,
  joins: joins.toSorted((one, other) => one.from - other.from),
});

const launchesOf = (facts: readonly ActivityFact[]): Launches => ({
  launched: facts.filter(({ kind }) => kind === 'launched').length,
  terminated: facts.filter(({ kind }) => kind === 'terminated').length,
  failed: failedLaunchesOf(facts),
});
