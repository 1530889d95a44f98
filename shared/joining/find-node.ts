import type { Node } from 'kubernetes-types/core/v1.d.ts';
import type { Ec2Instance } from '../groups/ec2.ts';
import { isNodeReady } from '../nodes/node-condition.ts';
import { isNodeOf, likelyNodeNames } from '../nodes/node-names.ts';
import type { JoiningContext } from './context.ts';
import type { ClusterObserved } from './state.ts';

/**
 * Finds the Node of an instance. A Node counts only by its providerID, since the name may be that of an older instance, and not under
 * the name of another instance, since a kubelet can claim any providerID. The likely names are read anew, all at once. Only if none of
 * them is the instance's, all nodes are listed, from a list that passes share.
 *
 * @returns its own Node, and another's under its name.
 * @throws where a look-up fails: that never counts as "no Node".
 */
export async function findNode(
  { cluster }: Pick<JoiningContext, 'cluster'>,
  instance: Pick<Ec2Instance, 'instanceId'> & Partial<Ec2Instance>,
): Promise<Pick<ClusterObserved, 'node' | 'namesake'>> {
  const belongs = (node: Node): boolean => isNodeOf(node, instance);
  const named = await Promise.all(likelyNodeNames(instance).map((name) => cluster.getNode(name)));
  const likely = named.filter((node) => node !== undefined);
  const own = likely.filter(belongs);
  const nodes = own.length > 0 ? own : (await cluster.listNodes()).filter(belongs);
  return { node: nodes.find(isNodeReady) ?? nodes[0], namesake: likely.find((node) => !belongs(node)) };
}
