import type { MarkedNode } from '../../shared/capacity/leaving-instances.ts';
import type { DrainCluster } from '../../shared/draining/cluster.ts';
import { readLeavingMark } from '../../shared/draining/leaving-mark.ts';
import { leavingLabel } from '../../shared/draining/node-keys.ts';

/** The Nodes that carry Drover's mark, by its label: one list of metadata. Rejects with a KubernetesError. */
export async function markedNodes(
  cluster: Pick<DrainCluster, 'listNodeMetadata'>,
): Promise<readonly MarkedNode[]> {
  const nodes = await cluster.listNodeMetadata(leavingLabel);
  return nodes.flatMap(({ name, annotations }) => {
    const mark = readLeavingMark(annotations);
    return mark ? [{ name, mark }] : [];
  });
}
