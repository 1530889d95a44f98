import { parseKubeconfig } from '../../shared/kubernetes/kubeconfig/parse.ts';
import type { ClusterFlags } from '../cluster-flags.ts';
import type { CliContext } from '../context.ts';
import { kubeconfigPaths, readKubeconfigs } from './files.ts';

/** The namespace of the context that the flags mean, for objects that name none, as kubectl has it. */
export async function contextNamespace(flags: ClusterFlags, context: CliContext): Promise<string> {
  const text = await readKubeconfigs(context, kubeconfigPaths(context, flags.kubeconfig));
  return (await parseKubeconfig(text, flags.context)).namespace ?? 'default';
}
