import type { PodSpec } from 'kubernetes-types/core/v1.d.ts';
import type { Workload } from '../../shared/capacity/manifests/workload.ts';
import type { OccupiedNode } from '../../shared/capacity/plan/types.ts';
import { workloadName } from './asked.ts';

/** The preferences of workloads and nodes that a plan ignores: they refuse no node, so the scheduler may follow them or not. */
export function ignoredPreferences(
  workloads: readonly Workload[],
  nodes: readonly OccupiedNode[],
): readonly string[] {
  const ofWorkloads = workloads.flatMap((workload) => {
    const preferences = preferencesOf(workload.maker.template.spec);
    return preferences.length === 0
      ? []
      : [
          `${workloadName(workload)}: ${preferences.join(' and ')} ${preferences.length === 1 ? 'is' : 'are'} ignored, so the scheduler may choose other nodes`,
        ];
  });
  const tainted = nodes.filter(
    ({ node }) =>
      node.closed === undefined && node.taints.some(({ effect }) => effect === 'PreferNoSchedule'),
  );
  if (tainted.length === 0) return ofWorkloads;
  return [
    ...ofWorkloads,
    `taints with PreferNoSchedule are ignored, which keep no pod off (${tainted.length === 1 ? '1 node has' : `${tainted.length} nodes have`} one)`,
  ];
}

function preferencesOf({
  affinity,
  topologySpreadConstraints,
  priorityClassName,
}: Partial<PodSpec> = {}): readonly string[] {
  const hasPreferred = [affinity?.nodeAffinity, affinity?.podAffinity, affinity?.podAntiAffinity].some(
    (one) => (one?.preferredDuringSchedulingIgnoredDuringExecution ?? []).length > 0,
  );
  const spreadsAnyway = (topologySpreadConstraints ?? []).some(
    ({ whenUnsatisfiable }) => whenUnsatisfiable === 'ScheduleAnyway',
  );
  return [
    ...(hasPreferred ? ['preferred affinity'] : []),
    ...(spreadsAnyway ? ['topology spread with ScheduleAnyway'] : []),
    ...(priorityClassName ? [`preemption by its priority class ${priorityClassName}`] : []),
  ];
}
