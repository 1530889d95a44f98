import { createKubernetesClient } from '../shared/kubernetes/client.ts';
import type { ConnectionSource } from '../shared/kubernetes/connection.ts';
import { kubeconfigSource } from '../shared/kubernetes/kubeconfig/source.ts';
import type { DrainCluster } from '../shared/nodes/cluster.ts';
import type { ClusterFlags } from './cluster-flags.ts';
import type { CliContext } from './context.ts';
import { kubeconfigPaths, readKubeconfigs } from './kubeconfig/files.ts';
import { runPlugin } from './kubeconfig/plugin.ts';

/** How to reach the cluster that the flags mean, with any credentials that a kubeconfig can name. */
export function connectionsTo(flags: ClusterFlags, context: CliContext): ConnectionSource {
  const paths = kubeconfigPaths(context, flags.kubeconfig);
  return kubeconfigSource({
    load: () => readKubeconfigs(context, paths),
    ...(flags.context !== undefined && { contextName: flags.context }),
    abilities: {
      clock: context.clock,
      readFile: context.readFile,
      mayTrustAnyServer: true,
      runPlugin: (plugin) => runPlugin(plugin, context),
    },
  });
}

/** The cluster that the flags mean. Nothing is read before the first call. */
export function clusterOf(flags: ClusterFlags, context: CliContext): DrainCluster {
  return createKubernetesClient({
    connections: connectionsTo(flags, context),
    sendHttp: context.sendHttp,
    clock: context.clock,
  });
}
