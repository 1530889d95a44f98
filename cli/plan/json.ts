import { commandsFor, type GroupCommands, type GroupRow } from './group-rows.ts';
import { type PlanReport, podName, type RefusedPods, type WorkloadRow } from './report.ts';

/** A plan as programs read it: a contract, not the inside of the planner. */
export interface PlanJson {
  readonly fits: boolean;
  readonly pods: Omit<WorkloadRow, 'name'>;
  readonly workloads: readonly WorkloadRow[];
  /** null if no Pending pod was placed with them. */
  readonly pending: WorkloadRow | null;
  readonly groups: readonly GroupRow[];
  /** The node of each pod; null for a pod that fits nowhere. A new node is called GROUP/new-NUMBER. */
  readonly placements: readonly { readonly pod: string; readonly node: string | null }[];
  readonly refused: readonly RefusedPods[];
  readonly notPlanned: PlanReport['notPlanned'];
  readonly commands: readonly Pick<GroupCommands, 'autoScalingGroupName' | 'hold' | 'scale'>[];
  readonly notes: readonly string[];
  readonly warnings: readonly string[];
}

export const planJson = (
  report: PlanReport,
  {
    notes,
    warnings,
    cluster,
  }: Pick<PlanJson, 'notes' | 'warnings'> & { readonly cluster: string | undefined },
): PlanJson => ({
  fits: report.fits,
  pods: report.total,
  workloads: report.workloads,
  pending: report.pending ?? null,
  groups: report.groups,
  placements: report.placements.map(({ pod, nodeName }) => ({ pod: podName(pod), node: nodeName ?? null })),
  refused: report.refused,
  notPlanned: report.notPlanned,
  commands: commandsFor(report.groups, cluster).map(({ autoScalingGroupName, hold, scale }) => ({
    autoScalingGroupName,
    hold,
    scale,
  })),
  notes,
  warnings,
});
