import type { PodSpec } from 'kubernetes-types/core/v1.d.ts';
import type { Workload } from '../../shared/capacity/manifests/workload.ts';
import type { OccupiedNode } from '../../shared/capacity/plan/types.ts';
import type { PlanInput } from '../../shared/capacity/plan-input/plan-input.ts';
import { counted } from '../counted.ts';
import { workloadName } from './asked.ts';
import type { PlanFlags } from './flags.ts';

interface NotesInput {
  readonly input: Pick<PlanInput, 'nodes' | 'unplannable'>;
  readonly flags: Pick<PlanFlags, 'groups' | 'pending'>;
  /** The Pending pods that --no-pending leaves out. */
  readonly leftOut: number;
  readonly workloads?: readonly Workload[];
  /** The notes of the manifests. */
  readonly notes?: readonly string[];
}

/** What a plan leaves out, as sentences. */
export function notesOf({
  input: { nodes, unplannable },
  flags,
  leftOut,
  workloads = [],
  notes = [],
}: NotesInput): readonly string[] {
  const [first] = unplannable;
  return [
    ...notes,
    ...ignoredPreferences(workloads, nodes),
    ...(flags.groups ? [] : ['--no-groups: only free room counts, and no group grows']),
    ...(leftOut > 0
      ? [`--no-pending: ${counted(leftOut, 'Pending pod', 'Pending pods')} may take this room first`]
      : []),
    ...(first === undefined
      ? []
      : [
          `${counted(unplannable.length, 'Pending pod', 'Pending pods')} may take room too, but cannot be planned, such as ${first.namespace}/${first.name}: ${first.reason}`,
        ]),
  ];
}

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
