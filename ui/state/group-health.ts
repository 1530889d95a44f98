import { type Condition, placed } from './condition.ts';
import { holdingBudgets } from './held.ts';
import type { GroupView, ProblemView } from './types.ts';
import { unitsOf } from './units.ts';

/**
 * How a group is, in the words of Argo CD: `Degraded` needs an operator or is held, `Suspended` is paused, `Progressing` changes by
 * itself.
 */
export type Health = 'Healthy' | 'Progressing' | 'Degraded' | 'Suspended' | 'Unknown';

/** The figures of a group. */
export interface GroupSummary {
  readonly health: Health;
  /** Nodes that are Ready and do not leave, in the unit of the group's sizes; undefined if unknown. */
  readonly ready: number | undefined;
  readonly counts: Readonly<Record<Condition, number>>;
}

/** What a group has and how it is. Problems are those of the whole page. Pure. */
export function summaryOf(group: GroupView, problems: readonly ProblemView[]): GroupSummary {
  const all = placed([group]);
  const count = (wanted: Condition): number => all.filter(({ condition }) => condition === wanted).length;
  const counts = {
    failing: count('failing'),
    leaving: count('leaving'),
    joining: count('joining'),
    cordoned: count('cordoned'),
    aside: count('aside'),
    serving: count('serving'),
  };
  return { counts, ready: readyOf(group), health: healthOf(group, counts, problems) };
}

function healthOf(
  group: GroupView,
  { failing, leaving, joining, aside }: GroupSummary['counts'],
  problems: readonly ProblemView[],
): Health {
  const { instances, instancesUnknown, desiredCapacity, capacity, paused } = group;
  if (failing > 0 || hasProblem(group, problems) || isHeld(group)) return 'Degraded';
  if (instancesUnknown || instances.some(({ nodeUnknown }) => nodeUnknown)) return 'Unknown';
  if (capacity?.ready !== undefined && capacity.ready < capacity.floor && leaving + joining === 0)
    return 'Degraded';
  if (paused !== undefined) return 'Suspended';
  const present = group.countsUnits ? undefined : instances.length - aside;
  return leaving + joining > 0 || (present !== undefined && present < desiredCapacity)
    ? 'Progressing'
    : 'Healthy';
}

const isHeld = ({ instances }: GroupView): boolean =>
  instances.some(({ node }) => node?.leaving && holdingBudgets(node.leaving).length > 0);

function hasProblem(
  { autoScalingGroupName, instances }: GroupView,
  problems: readonly ProblemView[],
): boolean {
  if (problems.length === 0) return false;
  const names = new Set([
    autoScalingGroupName,
    ...instances.flatMap(({ instanceId, node }) => [instanceId, ...(node ? [node.name] : [])]),
  ]);
  return problems.some(({ subject }) => names.has(subject));
}

/** Of a group without holds, from its Nodes; of etcd, which has none, its members in service. */
function readyOf(group: GroupView): number | undefined {
  const { capacity, instances, instancesUnknown, role } = group;
  if (capacity?.ready !== undefined) return capacity.ready;
  if (instancesUnknown || instances.some(({ nodeUnknown }) => nodeUnknown)) return undefined;
  return unitsOf(
    group,
    instances.filter(({ lifecycleState, node }) =>
      role === 'etcd' ? lifecycleState === 'InService' : node?.ready && !node.leaving,
    ),
  );
}
