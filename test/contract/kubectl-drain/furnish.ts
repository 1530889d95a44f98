import type { ClusterApi } from '@drover/cloud-sandbox/test/contract/kubernetes/eviction/cluster-api.ts';
import { testNamespace } from '@drover/cloud-sandbox/test/contract/kubernetes/eviction/namespace.ts';
import { presentDaemonSet } from '@drover/cloud-sandbox/test/contract/kubernetes/eviction/random-pod.ts';
import type { RandomNode } from './random-node.ts';

/** The name of a node and of the namespace of its pods, which begin with it too. */
export const nodeName = (index: number): string => `node-${index}`;

/** Writes a node with its pods, their states and deletions, and the budgets. */
export async function furnishNode(api: ClusterApi, name: string, node: RandomNode): Promise<void> {
  await api.write({ method: 'POST', path: '/api/v1/nodes', body: { metadata: { name } } });
  const namespace = await testNamespace(api, name);
  await api.write({
    method: 'POST',
    path: `/apis/apps/v1/namespaces/${name}/daemonsets`,
    body: daemonSet(presentDaemonSet),
  });
  for (const [index, { deletion, ...pod }] of node.pods.entries()) {
    const podName = `${name}-pod-${index}`;
    await namespace.pod(podName, { ...pod, spec: { ...pod.spec, nodeName: name } });
    if (deletion) await namespace.deletePod(podName, deletion);
  }
  for (const [index, budget] of node.budgets.entries()) await namespace.budget(`budget-${index}`, budget);
}

const daemonSet = (name: string): object => ({
  metadata: { name },
  spec: {
    selector: { matchLabels: { name } },
    template: {
      metadata: { labels: { name } },
      spec: { containers: [{ name: 'main', image: 'example' }] },
    },
  },
});
