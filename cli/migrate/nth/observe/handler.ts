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
import { flagIn, type NthSettings, readSettings, textIn } from '../settings/settings.ts';

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
  if (more.length > 0) throw severalQueues([ofQueue, ...more]);
  return { ...ofQueue, onNodes: onNodes.filter((one) => one !== ofQueue).map(({ name }) => name) };
}

/** The values of one do not say what another one does by the same tag. */
function severalQueues(handlers: readonly Found[]): CliError {
  const names = handlers.map(({ name }) => name).join(', ');
  const tags = new Set(handlers.map(({ settings }) => textIn(settings, 'managedTag')));
  const [tag] = tags;
  return new CliError(
    `several AWS Node Termination Handlers read queues: ${names}${
      tags.size === 1 && tag !== undefined
        ? `, all by the tag ${tag}. Uninstall all but one, or give each a managedTag of its own`
        : '. Give --values FILE with the values of the one that you mean'
    }`,
    exitCodes.failed,
  );
}

const kinds = [
  ['Deployment', 'deployments'],
  ['DaemonSet', 'daemonsets'],
] as const;

/** By its image, whatever its chart and labels are. */
async function findHandlers(api: Api): Promise<readonly Found[]> {
  const lists = await Promise.all(
    kinds.map(async ([kind, resource]) =>
      (await listAll(api, { path: `/apis/apps/v1/${resource}`, schema: workloadSchema })).flatMap((one) =>
        foundIn(kind, one),
      ),
    ),
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
