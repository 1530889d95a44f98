import { firstLabel } from '../table/short-names.ts';
import { nearNames } from './near-names.ts';

export interface NamedNode {
  readonly name: string;
  /** Undefined if the Node is not an EC2 instance. */
  readonly instanceId?: string;
}

/** The nodes that a name may mean. */
export type NodeMatch<Found extends NamedNode> =
  | { readonly kind: 'one'; readonly node: Found }
  | { readonly kind: 'several'; readonly names: readonly string[] }
  | { readonly kind: 'none'; readonly near: readonly string[] };

/** Finds a node by its name, the id of its instance, or the first label of its name if no other node has it. Pure. */
export function matchNode<Found extends NamedNode>(text: string, nodes: readonly Found[]): NodeMatch<Found> {
  const whole = nodes.find(({ name }) => name === text);
  if (whole) return { kind: 'one', node: whole };
  const [node, ...others] = nodes.filter(
    ({ name, instanceId }) => instanceId === text || firstLabel(name) === text,
  );
  if (!node)
    return {
      kind: 'none',
      near: nearNames(
        text,
        nodes.map(({ name }) => name),
      ),
    };
  return others.length === 0
    ? { kind: 'one', node }
    : { kind: 'several', names: [node, ...others].map(({ name }) => name).toSorted() };
}
