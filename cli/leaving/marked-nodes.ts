import type { MarkedNode } from '../../shared/capacity/leaving-instances.ts';
import type { DrainCluster } from '../../shared/nodes/cluster.ts';
import { readLeavingMark } from '../../shared/nodes/leaving-mark.ts';
import { leavingLabel } from '../../shared/nodes/node-keys.ts';

/** The Nodes that carry Drover's mark, by its label: one list of metadata. Rejects with a KubernetesError. */
export const markedNodes = async (
  cluster: Pick<DrainCluster, 'listNodeMetadata'>,
): Promise<readonly MarkedNode[]> => markedAmong(await cluster.listNodeMetadata(leavingLabel));

interface NodeMetadata {
  readonly name?: string | undefined;
  readonly annotations?: Readonly<Record<string, string>> | undefined;
}

/** The Nodes that carry Drover's mark. Pure. */
export const markedAmong = (nodes: readonly NodeMetadata[]): readonly MarkedNode[] =>
  nodes.flatMap(({ name = '', annotations }) => {
    const mark = readLeavingMark(annotations);
    return mark ? [{ name, mark }] : [];
  });
