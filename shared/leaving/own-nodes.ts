import type { Node } from 'kubernetes-types/core/v1.d.ts';
import { instanceIdOf, isNamedByAddress, isNodeOf, type NamedInstance } from '../nodes/node-names.ts';
import type { LeavingContext } from './context.ts';

/**
 * Those of these Nodes that do not have the name of another instance than their providerID names. EC2 is asked only where a name is that
 * of an address.
 *
 * @throws where EC2 cannot be read.
 */
export async function ownNodes(
  { ec2 }: Pick<LeavingContext, 'ec2'>,
  nodes: readonly Node[],
): Promise<readonly Node[]> {
  const isOwn = async (node: Node): Promise<boolean> => {
    const instanceId = instanceIdOf(node.spec?.providerID);
    if (instanceId === undefined) return false;
    const instance = isNamedByAddress(node.metadata?.name)
      ? await ec2.describeInstance(instanceId)
      : undefined;
    return isNodeOf(node, { instanceId, ...instance });
  };
  const areOwn = await Promise.all(nodes.map(isOwn));
  return nodes.filter((_, place) => areOwn[place]);
}

/** Those of one instance. What EC2 does not answer is nothing against a Node: a drain does not wait for it. */
export async function ownNodesOf(
  context: Pick<LeavingContext, 'ec2' | 'reportError'>,
  nodes: readonly Node[],
  instance: NamedInstance,
): Promise<readonly Node[]> {
  const claiming = nodes.filter((node) => isNodeOf(node, instance));
  if (instance.privateIpAddress !== undefined) return claiming;
  try {
    return await ownNodes(context, claiming);
  } catch (error) {
    context.reportError(`the names of ${instance.instanceId} could not be read from EC2`, error);
    return claiming;
  }
}
