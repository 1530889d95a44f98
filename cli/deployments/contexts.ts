import { lazily } from '../../shared/base/lazily.ts';
import type { ConnectionSource } from '../../shared/kubernetes/connection.ts';
import type { CliContext } from '../context.ts';
import { CliError, exitCodes } from '../exit-codes.ts';
import { contextsFor, contextsIn, type NamedContext, type WantedCluster } from '../kubeconfig/context-of.ts';
import { kubeconfigPaths, readKubeconfigs } from '../kubeconfig/files.ts';
import { reasonOf } from '../reason-of.ts';
import type { Deployment } from './deployments.ts';

/** The context of the kubeconfig that is a cluster's, or why there is none. */
export type FoundContext = { readonly name: string } | { readonly why: string };

interface RegionFlags {
  readonly region?: string;
  readonly kubeconfig?: string;
}

/** The machine without what its environment says about one cluster. */
export function ofAnyCluster(given: CliContext): CliContext {
  const { DROVER_BOOTSTRAP_PARAMETER: _, ...environment } = given.environment;
  return { ...given, environment };
}

/** Finds the contexts of clusters by their names. The kubeconfig is read once. */
export function contextFinder(
  flags: RegionFlags,
  context: CliContext,
): (deployment: Deployment & { readonly clusterName: string }) => Promise<FoundContext> {
  const region = flags.region ?? context.environment.AWS_REGION ?? context.environment.AWS_DEFAULT_REGION;
  const contexts = lazily(async () =>
    contextsIn(await readKubeconfigs(context, kubeconfigPaths(context, flags.kubeconfig))),
  );
  return ({ clusterName, accountId }) =>
    contexts().then(
      (all) => chooseContext(all, { clusterName, region, accountId }),
      (error: unknown) => ({ why: reasonOf(error) }),
    );
}

function chooseContext(all: readonly NamedContext[], wanted: WantedCluster): FoundContext {
  const [name, ...others] = contextsFor(all, wanted);
  if (name === undefined)
    return { why: `the kubeconfig has no context that is named ${wanted.clusterName}, like its cluster` };
  return others.length === 0
    ? { name }
    : {
        why: `several contexts of the kubeconfig are named after the cluster: ${[name, ...others].join(', ')}`,
      };
}

/** An API server that no call reaches: each rejects with the reason. Never the current context, which may be another cluster. */
export function unreachable(why: string) {
  const reject = () => Promise.reject(new CliError(why, exitCodes.failed));
  const connections: ConnectionSource = { connect: reject, invalidate: () => undefined };
  return { cluster: { listNodes: reject }, connections };
}
