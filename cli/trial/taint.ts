import type { Node, Taint } from 'kubernetes-types/core/v1.d.ts';
import { isConflict } from '../../shared/kubernetes/status.ts';
import { nameOfNode } from '../../shared/nodes/node-names.ts';
import type { TrialAccess } from './access.ts';

/** Keeps other pods away from the node of a trial: the scheduler would place the next ones on it, the emptiest one. */
export const trialTaint: Taint = { key: 'drover.dev/trial', effect: 'NoSchedule' };

export const hasTrialTaint = ({ spec }: Node): boolean =>
  (spec?.taints ?? []).some(({ key }) => key === trialTaint.key);

type Nodes = Pick<TrialAccess, 'nodes'>;

const attempts = 5;

/** The Node with the taint; or as it is, if the kubelet changes it again and again. */
export async function tainted(node: Node, access: Nodes): Promise<Node> {
  let current = node;
  for (let attempt = 1; attempt <= attempts && !hasTrialTaint(current); attempt += 1) {
    const patched = await withTaints(current, [...(current.spec?.taints ?? []), trialTaint], access);
    if (patched !== current) return patched;
    current = (await access.nodes.getNode(nameOfNode(node))) ?? node;
  }
  return current;
}

/** Removes the taint. False if the kubelet has just changed the Node, so that it has to be tried again. */
export async function untaint(name: string, access: Nodes): Promise<boolean> {
  const node = await access.nodes.getNode(name);
  if (!node || !hasTrialTaint(node)) return true;
  const taints = (node.spec?.taints ?? []).filter(({ key }) => key !== trialTaint.key);
  return !hasTrialTaint(await withTaints(node, taints, access));
}

/** The list of taints has no keys to a patch, so the version of the Node is part of it. */
async function withTaints(node: Node, taints: readonly Taint[], { nodes }: Nodes): Promise<Node> {
  const { uid, resourceVersion } = node.metadata ?? {};
  try {
    return await nodes.patchNode(nameOfNode(node), { metadata: { uid, resourceVersion }, spec: { taints } });
  } catch (error) {
    if (isConflict(error)) return node;
    throw error;
  }
}
