import { parse } from 'yaml';
import * as z from 'zod/mini';

/** A context of a kubeconfig, and the name of its cluster there. */
export interface NamedContext {
  readonly name: string;
  readonly cluster: string;
}

/** The cluster that a context is looked for. Region and account are compared if they are known. */
export interface WantedCluster {
  readonly clusterName: string;
  readonly region: string | undefined;
  readonly accountId: string | undefined;
}

const schema = z.looseObject({
  contexts: z.nullish(
    z.array(z.looseObject({ name: z.string(), context: z.looseObject({ cluster: z.optional(z.string()) }) })),
  ),
});

/** The contexts of a kubeconfig that `readKubeconfigs` has merged. If two have one name, the first counts. */
export function contextsIn(kubeconfig: string): readonly NamedContext[] {
  const { contexts } = z.parse(schema, parse(kubeconfig));
  const found = (contexts ?? []).map(({ name, context }) => ({ name, cluster: context.cluster ?? '' }));
  return found.filter(({ name }, index) => found.findIndex((one) => one.name === name) === index);
}

const eksArn = /^arn:aws[\w-]*:eks:([\w-]+):(\d{12}):cluster\/(.+)$/;

/**
 * The contexts that are named after a cluster: the context or its cluster has the name, or the ARN with which `aws eks update-kubeconfig` names
 * both. A part of a name is never enough, nor the cluster of that name of another account or region: the Nodes of another cluster would be
 * read. Pure.
 */
export function contextsFor(
  contexts: readonly NamedContext[],
  { clusterName, region, accountId }: WantedCluster,
): readonly string[] {
  const isOf = (name: string): boolean => {
    if (name === clusterName) return true;
    const [, arnRegion, arnAccount, arnName] = eksArn.exec(name) ?? [];
    return (
      arnName === clusterName &&
      (region === undefined || arnRegion === region) &&
      (accountId === undefined || arnAccount === accountId)
    );
  };
  // An alias may have the name of one cluster and lead to another.
  const possible = contexts.filter(({ cluster }) => !eksArn.test(cluster) || isOf(cluster));
  const named = possible.filter(({ name }) => isOf(name));
  return (named.length > 0 ? named : possible.filter(({ cluster }) => isOf(cluster))).map(({ name }) => name);
}
