import { shellWord } from '../../../../shared/base/shell-words.ts';
import type { Api } from '../../../../shared/kubernetes/api.ts';
import { listAll } from '../../../../shared/kubernetes/lists.ts';
import type { CliContext } from '../../../context.ts';
import { CliError, exitCodes } from '../../../exit-codes.ts';
import type { Handler } from '../observation.ts';
import {
  containerOf,
  settingsOfContainer,
  type Workload,
  workloadSchema,
} from '../settings/from-container.ts';
import { settingsOfValues } from '../settings/from-values.ts';
import { flagIn, type NthSettings, readSettings } from '../settings/settings.ts';

/** The handler that values of the chart describe. */
export async function handlerOfFile(
  file: string,
  { readFile }: Pick<CliContext, 'readFile'>,
): Promise<Handler> {
  const text = await readFile(file).catch((cause: unknown) => {
    throw new CliError(`${file} cannot be read`, exitCodes.failed, cause);
  });
  const settings = readSettings(settingsOfValues(text, file), { isChart: true });
  return { name: file, settings, uninstall: undefined, isStopped: false, onNodes: [] };
}

interface Found {
  readonly name: string;
  readonly settings: NthSettings;
  readonly uninstall: string;
  readonly isStopped: boolean;
}

/**
 * The handler that runs in the cluster, in any namespace.
 *
 * @throws CliError if there is none, or there are several that read queues.
 */
export async function handlerIn(api: Api): Promise<Handler> {
  const found = await findHandlers(api);
  const [first] = found;
  if (first === undefined)
    throw new CliError(
      'no AWS Node Termination Handler runs in the cluster: give --values FILE with the values of its chart, or use drover adopt',
      exitCodes.failed,
    );
  const onNodes = found.filter(({ settings }) => flagIn(settings, 'enableSqsTerminationDraining') === false);
  const [ofQueue = first, ...more] = found.filter((one) => !onNodes.includes(one));
  if (more.length > 0)
    throw new CliError(
      `several AWS Node Termination Handlers read queues: ${[ofQueue, ...more].map(({ name }) => name).join(', ')}. Give --values FILE with the values of the one that you mean`,
      exitCodes.failed,
    );
  return { ...ofQueue, onNodes: onNodes.filter((one) => one !== ofQueue).map(({ name }) => name) };
}

const nameLabels = ['app.kubernetes.io/name', 'k8s-app'];
const kinds = [
  ['Deployment', 'deployments'],
  ['DaemonSet', 'daemonsets'],
] as const;

/** By its labels, or else, with a chart under another name, by its image. */
async function findHandlers(api: Api): Promise<readonly Found[]> {
  const labelled = await Promise.all(
    nameLabels.map((label) => listWorkloads(api, { labelSelector: `${label}=aws-node-termination-handler` })),
  );
  const byName = new Map(labelled.flat().map((one) => [one.name, one]));
  return byName.size > 0 ? [...byName.values()] : await listWorkloads(api, {});
}

async function listWorkloads(api: Api, query: Readonly<Record<string, string>>): Promise<readonly Found[]> {
  const lists = await Promise.all(
    kinds.map(async ([kind, resource]) => {
      const path = `/apis/apps/v1/${resource}`;
      return (await listAll(api, { path, query, schema: workloadSchema })).flatMap((one) =>
        foundIn(kind, one),
      );
    }),
  );
  return lists.flat();
}

function foundIn(kind: string, workload: Workload): readonly Found[] {
  const container = containerOf(workload);
  if (container === undefined) return [];
  const { name, namespace = 'default', labels } = workload.metadata;
  const release = labels?.['app.kubernetes.io/managed-by'] === 'Helm' && labels['app.kubernetes.io/instance'];
  return [
    {
      name: `${kind} ${namespace}/${name}`,
      settings: readSettings(settingsOfContainer(container), { isChart: false }),
      uninstall: release
        ? `helm uninstall ${shellWord(release)} --namespace ${shellWord(namespace)}`
        : `kubectl delete ${kind.toLowerCase()} ${shellWord(name)} --namespace ${shellWord(namespace)}`,
      isStopped: kind === 'Deployment' && workload.spec.replicas === 0,
    },
  ];
}
