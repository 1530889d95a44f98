import type { Node, Pod } from 'kubernetes-types/core/v1.d.ts';
import type { World } from '../world.ts';

/**
 * What a kubelet with a static pod shows of it: a pod of the same name and its own, bound to its Node, which is its owner.
 * https://kubernetes.io/docs/tasks/configure-pod-container/static-pod/
 */
export async function mirror(world: World, nodeName: string, manifest: Pod): Promise<void> {
  const node = JSON.parse((await world.request('GET', `/api/v1/nodes/${nodeName}`)).body) as Node;
  const owner = { apiVersion: 'v1', kind: 'Node', name: nodeName, uid: node.metadata?.uid ?? '' };
  const { metadata, spec } = manifest;
  const { status, body } = await world.request('POST', `/api/v1/namespaces/${metadata?.namespace}/pods`, {
    ...manifest,
    metadata: {
      ...metadata,
      name: `${metadata?.name}-${nodeName}`,
      annotations: { ...metadata?.annotations, 'kubernetes.io/config.mirror': 'hash' },
      ownerReferences: [{ ...owner, controller: true }],
    },
    spec: { ...spec, nodeName },
  });
  if (status !== 201) throw new Error(`the mirror pod was not created: ${status} ${body}`);
}
