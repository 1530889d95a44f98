import type { Node } from 'kubernetes-types/core/v1.d.ts';
import type { DrainCluster } from '../../shared/nodes/cluster.ts';
import { instanceIdOf, nameOfNode } from '../../shared/nodes/node-names.ts';
import { CliError, exitCodes } from '../exit-codes.ts';
import { matchNode } from './match-node.ts';

/**
 * The Node of this name, of this first label of a name, or on this instance. The Nodes are listed only if none has the whole name: a user
 * who may not list them gives the whole name.
 *
 * @throws CliError that suggests similar names if there is no such Node, and lists all if there are several.
 */
export async function findNode(
  cluster: Pick<DrainCluster, 'getNode' | 'listNodes'>,
  given: string,
): Promise<Node> {
  // As `kubectl get nodes -o name` prints it, and as kubectl's commands take it.
  const text = given.replace(/^(?:nodes?|no)\//, '');
  if (!isNameInAPath(text))
    throw new CliError(
      `invalid name of a node ${JSON.stringify(text)}: it may not be empty, . or .., or contain / or %`,
      exitCodes.usage,
    );
  const named = await cluster.getNode(text);
  if (named) return named;
  const nodes = (await listed(cluster, text)).map((node) => {
    const instanceId = instanceIdOf(node.spec?.providerID);
    return { node, name: nameOfNode(node), ...(instanceId !== undefined && { instanceId }) };
  });
  const match = matchNode(text, nodes);
  if (match.kind === 'one') return match.node.node;
  throw new CliError(
    match.kind === 'several'
      ? `${match.names.length} nodes match ${text}: give the name of one, ${match.names.join(' or ')}`
      : `there is no node ${text}${didYouMean(match.near)}`,
    exitCodes.failed,
  );
}

/** What the API server takes as the name of an object, whatever its kind: anything else would ask another address. */
const isNameInAPath = (text: string): boolean => !/^\.{0,2}$|[/%]/.test(text);

async function listed(cluster: Pick<DrainCluster, 'listNodes'>, text: string): Promise<readonly Node[]> {
  try {
    return await cluster.listNodes();
  } catch (cause) {
    throw new CliError(
      `there is no node with the whole name ${text}, and the nodes cannot be listed to find a similar one`,
      exitCodes.failed,
      cause,
    );
  }
}

const didYouMean = (names: readonly string[]): string =>
  names.length === 0 ? '' : `: did you mean ${names.join(' or ')}?`;
