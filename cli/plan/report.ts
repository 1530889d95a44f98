import type { Placement } from '../../shared/capacity/plan/place.ts';
import type { Plan } from '../../shared/capacity/plan/plan.ts';
import { reasonsMessage } from '../../shared/capacity/plan/reasons.ts';
import type { GroupRefusal, Refusals } from '../../shared/capacity/plan/refusals.ts';
import type { PlannedPod } from '../../shared/capacity/plan/types.ts';
import type { GroupWithoutTemplate, PlanInput } from '../../shared/capacity/plan-input/plan-input.ts';
import type { AutoScalingGroup } from '../../shared/groups/group.ts';
import { type GroupRow, groupRows } from './group-rows.ts';
import { refusalText } from './refusal-text.ts';

/** Pods that are asked for together: a workload, or pods of one size. */
export interface AskedPods {
  /** `shop/deployment/web`. */
  readonly name: string;
  /** How many it shall have. */
  readonly total: number;
  /** How many of them have a node already. */
  readonly running: number;
  /** The pods that need a place. */
  readonly pods: readonly PlannedPod[];
  /** Why no plan can be made for its pods; `pods` is empty then. */
  readonly whyNotPlanned?: string;
}

export interface ReportInput {
  readonly plan: Plan;
  readonly asked: readonly AskedPods[];
  /** Pods that are Pending now and were placed too, but were not asked for. */
  readonly pending: readonly PlannedPod[];
  readonly input: Pick<PlanInput, 'nodes' | 'groups' | 'groupsWithoutTemplate'>;
  /** The groups of the plan, for their bounds. */
  readonly groups: readonly AutoScalingGroup[];
}

/** What becomes of the pods of one workload. */
export interface WorkloadRow {
  readonly name: string;
  readonly total: number;
  readonly running: number;
  readonly fitNow: number;
  readonly onNewNodes: number;
  readonly nowhere: number;
  readonly notPlanned: number;
}

/** Why a group launches no node for a pod, in a sentence with a remedy. */
export interface RefusingGroup {
  readonly autoScalingGroupName: string;
  readonly kind: GroupRefusal['kind'] | 'unknown';
  /** In the scheduler's words; empty unless the kind is `refuses`. */
  readonly reasons: readonly string[];
  readonly text: string;
}

/** Pods of one workload that fit nowhere for the same reasons. */
export interface RefusedPods {
  readonly workload: string;
  /** `shop/web-3`. */
  readonly pods: readonly string[];
  /** As the scheduler's event would say it. */
  readonly message: string;
  readonly groups: readonly RefusingGroup[];
}

/** A plan as people and programs read it. */
export interface PlanReport {
  /** Every pod that was asked for runs, or has a place with the new nodes. */
  readonly fits: boolean;
  readonly total: Omit<WorkloadRow, 'name'>;
  readonly workloads: readonly WorkloadRow[];
  /** The pods that are Pending now, in one row; undefined if none was placed. */
  readonly pending?: WorkloadRow;
  readonly groups: readonly GroupRow[];
  readonly refused: readonly RefusedPods[];
  readonly notPlanned: readonly { readonly workload: string; readonly reason: string }[];
  readonly placements: readonly Placement[];
}

export const pendingName = 'Pending now';

export const podName = ({ namespace, name }: Pick<PlannedPod, 'namespace' | 'name'>): string =>
  `${namespace}/${name}`;

/** Counts a plan by workload and by group, and words its refusals. */
export function reportOf(given: ReportInput): PlanReport {
  const { plan, asked, pending, input } = given;
  const workloads = asked.map((one) => rowOf(one, plan));
  const waiting = { name: pendingName, total: pending.length, running: 0, pods: pending };
  const total = workloads.reduce(sum, noPods);
  return {
    fits: total.nowhere === 0 && total.notPlanned === 0,
    total,
    workloads,
    ...(pending.length > 0 && { pending: rowOf(waiting, plan) }),
    groups: groupRows(plan, input, given.groups),
    refused: [...asked, waiting].flatMap((one) => refusedOf(one, given)),
    notPlanned: asked.flatMap(({ name, whyNotPlanned }) =>
      whyNotPlanned === undefined ? [] : [{ workload: name, reason: whyNotPlanned }],
    ),
    placements: plan.placements,
  };
}

const noPods = { total: 0, running: 0, fitNow: 0, onNewNodes: 0, nowhere: 0, notPlanned: 0 };

const sum = (one: typeof noPods, other: WorkloadRow): typeof noPods => ({
  total: one.total + other.total,
  running: one.running + other.running,
  fitNow: one.fitNow + other.fitNow,
  onNewNodes: one.onNewNodes + other.onNewNodes,
  nowhere: one.nowhere + other.nowhere,
  notPlanned: one.notPlanned + other.notPlanned,
});

function rowOf({ name, total, running, pods, whyNotPlanned }: AskedPods, plan: Plan): WorkloadRow {
  const own = new Set(pods);
  const placed = (placements: readonly Placement[]): number =>
    placements.filter(({ pod, nodeName }) => own.has(pod) && nodeName !== undefined).length;
  const nowhere = own.size - placed(plan.placements);
  // The worst order without new nodes may differ from the worst one with them.
  const fitNow = Math.min(placed(plan.placementsNow), own.size - nowhere);
  return {
    name,
    total,
    running,
    fitNow,
    onNewNodes: own.size - nowhere - fitNow,
    nowhere,
    notPlanned: whyNotPlanned === undefined ? 0 : total - running,
  };
}

/**
 * The pods of a workload without a place. Pods of a StatefulSet differ in a label, so those with the same reasons are put together. Reasons are worded
 * once for each shape: a workload may have a hundred thousand pods.
 */
function refusedOf({ name, pods }: AskedPods, given: ReportInput): readonly RefusedPods[] {
  const { placements, refusals } = given.plan;
  const own = new Set(pods);
  const without = placements.filter(({ pod, nodeName }) => nodeName === undefined && own.has(pod));
  const byShape = Map.groupBy(without, ({ pod }) => pod.shape);
  const worded = [...byShape].flatMap(([shape, [first, ...others]]) => {
    const refusal = refusals.get(shape);
    if (refusal === undefined || first === undefined) return [];
    const message = reasonsMessage(refusal.nodes, refusal.reasons);
    const groups = refusingGroups(first.pod, refusal, given);
    return [{ message, groups, names: [first, ...others].map(({ pod }) => podName(pod)) }];
  });
  const byReasons = Map.groupBy(worded, ({ message, groups }) => JSON.stringify([message, groups]));
  return [...byReasons.values()].flatMap(([first, ...others]) =>
    first === undefined
      ? []
      : [
          {
            workload: name,
            pods: [first, ...others].flatMap(({ names }) => names),
            message: first.message,
            groups: first.groups,
          },
        ],
  );
}

function refusingGroups(pod: PlannedPod, refusals: Refusals, given: ReportInput): readonly RefusingGroup[] {
  const { groups, groupsWithoutTemplate } = given.input;
  const known = groups.flatMap((group): RefusingGroup[] => {
    const { autoScalingGroupName } = group;
    const refusal = refusals.groups.get(autoScalingGroupName);
    if (refusal === undefined) return [];
    const asg = given.groups.find((one) => one.autoScalingGroupName === autoScalingGroupName);
    return [
      {
        autoScalingGroupName,
        kind: refusal.kind,
        reasons: refusal.kind === 'refuses' ? refusal.reasons : [],
        text: refusalText(pod, { refusal, group, ...(asg && { asg }) }),
      },
    ];
  });
  return [...known, ...groupsWithoutTemplate.map(unknownGroup)];
}

const unknownGroup = ({ autoScalingGroupName, reason }: GroupWithoutTemplate): RefusingGroup => ({
  autoScalingGroupName,
  kind: 'unknown',
  reasons: [],
  text: reason,
});
