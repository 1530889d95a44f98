import type { Node } from 'kubernetes-types/core/v1.d.ts';
import { isNodeReady } from '../draining/node-condition.ts';
import { instanceIdOf, likelyNodeNames } from '../draining/node-names.ts';
import type { Ec2Instance } from '../lifecycle/group.ts';
import type { JoiningContext } from './context.ts';

/**
 * Finds the Node of an instance. A Node counts only by its providerID: the name may be that of an older instance. The likely names are
 * read anew, all at once. Only if none of them is the instance's, all nodes are listed, from a list that passes share.
 *
 * @returns undefined where no Node has the instance's providerID.
 * @throws where a look-up fails: that never counts as "no Node".
 */
export async function findNode(
  { cluster }: Pick<JoiningContext, 'cluster'>,
  instance: Pick<Ec2Instance, 'instanceId'> & Partial<Ec2Instance>,
): Promise<Node | undefined> {
  const belongs = (node: Node): boolean => instanceIdOf(node.spec?.providerID) === instance.instanceId;
  const named = await Promise.all(likelyNodeNames(instance).map((name) => cluster.getNode(name)));
  const own = named.filter((node) => node !== undefined).filter(belongs);
  const nodes = own.length > 0 ? own : (await cluster.listNodes()).filter(belongs);
  return nodes.find(isNodeReady) ?? nodes[0];
}
