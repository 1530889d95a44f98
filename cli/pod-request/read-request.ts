import { readWorkloads } from '../../shared/capacity/manifests/read-workloads.ts';
import type { Workload } from '../../shared/capacity/manifests/workload.ts';
import { chooseWorkload } from '../../shared/capacity/pod-holds/choose-workload.ts';
import type { PodRequest } from '../../shared/capacity/pod-holds/pod-request.ts';
import { requestOfWorkload } from '../../shared/capacity/pod-holds/request-of-workload.ts';
import { type AccessFlags, usesScaleApi } from '../access/flags.ts';
import type { CliContext } from '../context.ts';
import { CliError, exitCodes } from '../exit-codes.ts';
import { contextNamespace } from '../kubeconfig/namespace.ts';
import { oneLine } from '../plain-text.ts';
import { manifestFiles, refuseMistakes } from '../plan/manifest-files.ts';
import { sizedPods } from '../plan/sized-pods.ts';
import type { PodFlags } from './flags.ts';

/**
 * The request for pods that the flags and the manifests make; undefined if a number of nodes is asked for. Says on stderr what the request does not
 * count.
 *
 * @throws CliError `usage` for flags that contradict each other, and for manifests with a mistake, with all mistakes.
 */
export async function readPodRequest(
  flags: PodFlags & AccessFlags,
  context: CliContext,
): Promise<PodRequest | undefined> {
  refuseContradictions(flags);
  if (!flags.forPods) return undefined;
  const workload = flags.filename === undefined ? podsOfSize(flags) : await manifestWorkload(flags, context);
  if (workload.namespace === '')
    throw usage('nothing says in which namespace the pods are: give it with --namespace, or in the manifest');
  const making = requestOfWorkload(workload, { total: flags.pods, headroom: flags.headroom === true });
  if (making.kind === 'refused') throw usage(oneLine(making.why));
  for (const note of workload.notes)
    context.stderr.write(`note: ${oneLine(`${workload.kind} ${workload.name} ${note}`)}\n`);
  return making.request;
}

const usage = (message: string): CliError => new CliError(message, exitCodes.usage);

const podOptions = ['filename', 'workload', 'pods', 'cpu', 'memory', 'gpu', 'namespace', 'headroom'] as const;

function refuseContradictions(flags: PodFlags): void {
  const given = podOptions.filter((name) => flags[name] !== undefined);
  const size = given.find((name) => name === 'cpu' || name === 'memory' || name === 'gpu');
  if (!flags.forPods) {
    if (given[0] !== undefined) throw usage(`--${given[0]} is about pods: give --for-pods too`);
    return;
  }
  if (flags.filename !== undefined) {
    if (size !== undefined)
      throw usage(`--${size}: the manifest says what its pods request, so leave it out`);
    return;
  }
  if (flags.workload !== undefined) throw usage('--workload is one of a manifest: give it with -f FILE');
  if (flags.pods === undefined || flags.cpu === undefined || flags.memory === undefined)
    throw usage('--for-pods: give a manifest with -f FILE, or --pods, --cpu and --memory');
  if (!flags.headroom)
    throw usage(
      'these pods have no selector: give a manifest with -f FILE, or --headroom, which is so much room at all times',
    );
}

const podsOfSize = ({ pods = 0, cpu = '', memory = '', gpu, namespace = 'default' }: PodFlags): Workload =>
  sizedPods({ pods, cpu, memory, namespace, ...(gpu !== undefined && { gpu }) });

async function manifestWorkload(flags: PodFlags & AccessFlags, context: CliContext): Promise<Workload> {
  const files = await manifestFiles(flags.filename ?? [], context);
  const { workloads, problems } = readWorkloads(
    files,
    flags.namespace === undefined
      ? { defaultNamespace: await knownNamespace(flags, context) }
      : { requiredNamespace: flags.namespace },
  );
  refuseMistakes(problems, 'nothing is created');
  const choice = chooseWorkload(workloads, flags.workload);
  if (choice.kind === 'refused') throw usage(oneLine(choice.why));
  return choice.workload;
}

/** Empty if nothing says it. A scale API knows its own cluster, which may be another than that of the kubeconfig. */
async function knownNamespace(flags: AccessFlags, context: CliContext): Promise<string> {
  if (usesScaleApi(flags)) return '';
  try {
    return await contextNamespace(flags, context);
  } catch (error) {
    // Without a kubeconfig the manifests may still name their namespaces.
    if (error instanceof CliError) return '';
    throw error;
  }
}
