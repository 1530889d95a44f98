import { dirname, isAbsolute, join } from 'node:path';
import { parse, stringify } from 'yaml';
import * as z from 'zod/mini';
import { KubeconfigError } from '../../shared/kubernetes/kubeconfig/parse.ts';
import type { CliContext } from '../context.ts';
import { CliError, exitCodes } from '../exit-codes.ts';
import { isMissingFile } from '../missing-file.ts';

/** The files that make up the kubeconfig, as kubectl looks for them: the flag, $KUBECONFIG, ~/.kube/config. */
export function kubeconfigPaths(
  { environment, homeDirectory }: Pick<CliContext, 'environment' | 'homeDirectory'>,
  flag?: string,
): readonly string[] {
  if (flag !== undefined) return [flag];
  const listed = (environment.KUBECONFIG ?? '').split(':').filter(Boolean);
  return listed.length > 0 ? listed : [join(homeDirectory, '.kube', 'config')];
}

const entries = z.nullish(z.array(z.looseObject({ name: z.string() })));

const mergeableSchema = z.looseObject({
  'current-context': z.optional(z.string()),
  clusters: entries,
  users: entries,
  contexts: entries,
});

type Mergeable = z.infer<typeof mergeableSchema>;

/**
 * Reads and merges the files as kubectl does: of two entries with one name, and of two current contexts, the first counts;
 * paths are relative to the file that holds them.
 *
 * @throws CliError when none can be read, KubeconfigError when one is not a kubeconfig.
 */
export async function readKubeconfigs(
  { readFile }: Pick<CliContext, 'readFile'>,
  paths: readonly string[],
): Promise<string> {
  const found = await Promise.all(paths.map((path) => readOne(readFile, path)));
  const configs = found.filter((config) => config !== undefined);
  if (configs.length === 0)
    throw new CliError(
      `there is no kubeconfig at ${paths.join(', ')}: give one with --kubeconfig`,
      exitCodes.failed,
    );
  const currentContext = configs.map((config) => config['current-context']).find(Boolean);
  return stringify({
    ...(currentContext && { 'current-context': currentContext }),
    clusters: configs.flatMap((config) => config.clusters ?? []),
    users: configs.flatMap((config) => config.users ?? []),
    contexts: configs.flatMap((config) => config.contexts ?? []),
  });
}

/** Undefined for a file that is not there: a list in $KUBECONFIG may name such. */
async function readOne(readFile: CliContext['readFile'], path: string): Promise<Mergeable | undefined> {
  let text: string;
  try {
    text = await readFile(path);
  } catch (error) {
    if (isMissingFile(error)) return undefined;
    throw new CliError(`the kubeconfig ${path} cannot be read`, exitCodes.failed, error);
  }
  return withAbsolutePaths(parseOne(text, path), dirname(path));
}

function parseOne(text: string, path: string): Mergeable {
  try {
    return z.parse(mergeableSchema, parse(text, { maxAliasCount: 0, logLevel: 'error' }));
  } catch {
    // What the parser says quotes the file, and so its secrets.
    throw new KubeconfigError([`${path} is not a kubeconfig`]);
  }
}

const pathKeys = ['certificate-authority', 'client-certificate', 'client-key', 'tokenFile'];

function withAbsolutePaths(config: Mergeable, directory: string): Mergeable {
  const absolute = (value: unknown): unknown => {
    if (typeof value !== 'object' || value === null) return value;
    return Object.fromEntries(
      Object.entries(value).map(([key, item]) => [
        key,
        pathKeys.includes(key) && typeof item === 'string' && !isAbsolute(item)
          ? join(directory, item)
          : item,
      ]),
    );
  };
  return {
    ...config,
    clusters: config.clusters?.map((entry) => ({ ...entry, cluster: absolute(entry.cluster) })),
    users: config.users?.map((entry) => ({ ...entry, user: absolute(entry.user) })),
  };
}
