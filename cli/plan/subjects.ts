import { withReplicas } from '../../shared/capacity/manifests/make-pods.ts';
import { readWorkloads } from '../../shared/capacity/manifests/read-workloads.ts';
import type {
  ManifestReading,
  ManifestSurroundings,
  Workload,
} from '../../shared/capacity/manifests/workload.ts';
import type { CliContext } from '../context.ts';
import { CliError, exitCodes } from '../exit-codes.ts';
import { contextNamespace } from '../kubeconfig/namespace.ts';
import { oneLine } from '../plain-text.ts';
import { workloadName } from './asked.ts';
import { readClusterWorkloads } from './cluster-workloads.ts';
import type { PlanFlags } from './flags.ts';
import { manifestFiles, refuseMistakes } from './manifest-files.ts';
import { sizedPods } from './sized-pods.ts';

/** What a plan is asked for. */
export interface Subjects {
  readonly workloads: readonly Workload[];
  readonly surroundings?: ManifestSurroundings;
  readonly notes: readonly string[];
}

/**
 * Reads what the arguments and the flags ask for; undefined for the pods that are Pending now.
 *
 * @throws CliError `usage` for flags that contradict each other, and for manifests with a mistake.
 */
export async function readSubjects(
  names: readonly string[],
  flags: PlanFlags,
  context: CliContext,
): Promise<Subjects | undefined> {
  const ways = [names.length > 0, flags.filename !== undefined, flags.pods !== undefined].filter(Boolean);
  if (ways.length > 1)
    throw usage('give one of workloads, -f and --pods. Another number of their pods is --replicas N');
  refuseLonely(flags, ways.length > 0);
  if (ways.length === 0) return undefined;
  const namespace = flags.namespace ?? (await contextNamespace(flags, context));
  if (flags.pods !== undefined) return { workloads: [podsOfSize(flags.pods, flags, namespace)], notes: [] };
  if (names.length > 0) {
    const workloads = await readClusterWorkloads(names, { namespace, flags }, context);
    return withNotes({ workloads: workloads.map((workload) => resized(workload, flags)), notes: [] });
  }
  const files = await manifestFiles(flags.filename ?? [], context);
  const { workloads, surroundings, notes } = withoutProblems(
    readWorkloads(
      files,
      flags.namespace === undefined ? { defaultNamespace: namespace } : { requiredNamespace: namespace },
    ),
  );
  return withNotes({ workloads: workloads.map((workload) => resized(workload, flags)), surroundings, notes });
}

const usage = (message: string): CliError => new CliError(message, exitCodes.usage);

/** @throws CliError `usage` for a flag whose subject is missing. */
function refuseLonely(flags: PlanFlags, hasSubject: boolean): void {
  const size = (['cpu', 'memory', 'gpu'] as const).find((name) => flags[name] !== undefined);
  if (size !== undefined && flags.pods === undefined)
    throw usage(`--${size} is the size of each of the --pods: give --pods too`);
  const count = (['replicas', 'times'] as const).find((name) => flags[name] !== undefined);
  if (count !== undefined && (!hasSubject || flags.pods !== undefined))
    throw usage(`--${count} is for workloads: give deployment/NAME or -f FILE`);
}

function podsOfSize(pods: number, { cpu, memory, gpu }: PlanFlags, namespace: string): Workload {
  if (cpu === undefined || memory === undefined)
    throw usage(
      '--pods: give --cpu and --memory too: a plan for pods without requests promises room that is not there',
    );
  return sizedPods({ pods, cpu, memory, namespace, ...(gpu !== undefined && { gpu }) });
}

/** The workload with the total that the flags ask for. */
function resized(workload: Workload, { replicas, times }: PlanFlags): Workload {
  if (replicas !== undefined) return withReplicas(workload, replicas);
  return times === undefined ? workload : withReplicas(workload, Math.ceil(workload.replicas * times));
}

/** Nothing is planned for the other manifests: a plan for half of them would be wrong. */
function withoutProblems(reading: ManifestReading): ManifestReading {
  const { problems, workloads, notes } = reading;
  refuseMistakes(problems, 'nothing is planned');
  if (workloads.length === 0)
    throw usage(['the manifests have no workload with pods', ...notes.map(oneLine)].join('; '));
  return reading;
}

const withNotes = (subjects: Subjects): Subjects => ({
  ...subjects,
  notes: [
    ...subjects.notes,
    ...subjects.workloads.flatMap((workload) =>
      workload.notes.map((note) => `${workloadName(workload)} ${note}`),
    ),
  ],
});
