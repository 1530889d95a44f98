import type { Workload } from '../../shared/capacity/manifests/workload.ts';
import type { PlanInput } from '../../shared/capacity/plan-input/plan-input.ts';
import { counted } from '../counted.ts';
import type { PlanFlags } from './flags.ts';
import { ignoredPreferences } from './ignored.ts';

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
