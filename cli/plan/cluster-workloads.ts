import { problemText } from '../../shared/capacity/manifests/problem.ts';
import { readWorkloads } from '../../shared/capacity/manifests/read-workloads.ts';
import { runningWorkload } from '../../shared/capacity/manifests/running.ts';
import type { Workload } from '../../shared/capacity/manifests/workload.ts';
import type { WorkloadObject } from '../../shared/capacity/manifests/workload-kinds.ts';
import { type Api, createApi, pathOf } from '../../shared/kubernetes/api.ts';
import { listAll, metadataSchema, podSchema, readObject } from '../../shared/kubernetes/lists.ts';
import { servedVersion } from '../../shared/kubernetes/served-version.ts';
import { isNotFound } from '../../shared/kubernetes/status.ts';
import { connectionsTo } from '../cluster.ts';
import type { ClusterFlags } from '../cluster-flags.ts';
import type { CliContext } from '../context.ts';
import { CliError, exitCodes } from '../exit-codes.ts';

interface KnownKind {
  readonly kind: WorkloadObject['kind'];
  readonly plural: string;
  readonly group: 'apps' | 'batch';
  readonly names: readonly string[];
}

/** Workloads of the cluster that can be named, with kubectl's short names. */
const kinds: readonly KnownKind[] = [
  { kind: 'Deployment', plural: 'deployments', group: 'apps', names: ['deployment', 'deploy'] },
  { kind: 'StatefulSet', plural: 'statefulsets', group: 'apps', names: ['statefulset', 'sts'] },
  { kind: 'ReplicaSet', plural: 'replicasets', group: 'apps', names: ['replicaset', 'rs'] },
  { kind: 'Job', plural: 'jobs', group: 'batch', names: ['job'] },
  { kind: 'CronJob', plural: 'cronjobs', group: 'batch', names: ['cronjob', 'cj'] },
];

interface WorkloadRequest {
  readonly namespace: string;
  readonly flags: ClusterFlags;
}

/**
 * Reads workloads by their names, such as `deployment/web`, as they are in the cluster.
 *
 * @throws CliError `usage` for a name of another kind, `failed` if there is no such workload.
 */
export async function readClusterWorkloads(
  names: readonly string[],
  { namespace, flags }: WorkloadRequest,
  context: CliContext,
): Promise<readonly Workload[]> {
  const wanted = [...new Set(names)].map(parseName);
  const api = createApi({ connections: connectionsTo(flags, context), sendHttp: context.sendHttp });
  return await Promise.all(wanted.map((one) => readWorkload(api, one, namespace)));
}

interface WantedWorkload {
  readonly known: KnownKind;
  readonly name: string;
}

function parseName(text: string): WantedWorkload {
  const [kind = '', name = '', ...more] = text.split('/');
  const known = kinds.find(({ names, plural }) => [...names, plural].includes(kind.toLowerCase()));
  if (known !== undefined && name !== '' && more.length === 0) return { known, name };
  throw new CliError(
    `${text}: write KIND/NAME, such as deployment/web; kinds are ${kinds.map((one) => one.names[0]).join(', ')}`,
    exitCodes.usage,
  );
}

async function readWorkload(
  api: Api,
  { known: { kind, plural, group }, name }: WantedWorkload,
  namespace: string,
): Promise<Workload> {
  const path = (version: string) =>
    `/apis/${group}/${version}${pathOf('namespaces', namespace, plural, name)}`;
  // CronJobs are in v1 since Kubernetes 1.21, with the same fields as before.
  const inServedVersion = servedVersion(api, { group, plural });
  const object = await call(
    () => inServedVersion((version) => api.call({ method: 'GET', path: path(version) })),
    `there is no ${kind} ${name} in namespace ${namespace}`,
  );
  const typed = { ...readObject(metadataSchema, object, path('v1')), kind, apiVersion: `${group}/v1` };
  const reading = readWorkloads([{ name: path('v1'), text: JSON.stringify(typed) }]);
  const [problem] = reading.problems;
  if (problem !== undefined) throw new CliError(problemText(problem), exitCodes.failed);
  const pods = await listAll(api, {
    path: `/api/v1${pathOf('namespaces', namespace, 'pods')}`,
    schema: podSchema,
  });
  return runningWorkload(typed as WorkloadObject, pods);
}

async function call(read: () => Promise<unknown>, missing: string): Promise<unknown> {
  try {
    return await read();
  } catch (error) {
    if (!isNotFound(error)) throw error;
    throw new CliError(missing, exitCodes.failed, error);
  }
}
