import { emptiestFirst } from '../capacity/plan/emptying.ts';
import { planNodes } from '../capacity/plan/plan.ts';
import { reasonsMessage } from '../capacity/plan/reasons.ts';
import { isPassing } from '../capacity/plan/taints.ts';
import type { Labels, OccupiedNode, PlannedNode } from '../capacity/plan/types.ts';

/** A pod that would stay Pending if its node were replaced. */
export interface StrandedPod {
  /** `namespace/name` */
  readonly pod: string;
  /** With the words of the scheduler. */
  readonly why: string;
}

/**
 * The pods of a node that would stay Pending once a node of the same kind has taken its place: those that are tied to its name or its disks, or
 * that its taints and labels would not let in again. Auto Scaling launches the replacement in the zone that has the fewest instances, which is
 * the zone of the node that goes. Pure.
 *
 * @param nodes all nodes of the cluster with their pods
 * @param resized a node as its group would launch it now; by default as it is
 */
export function strandedPodsOf(
  nodeName: string,
  nodes: readonly OccupiedNode[],
  resized: (node: PlannedNode) => PlannedNode = (node) => node,
): readonly StrandedPod[] {
  const old = nodes.find(({ node }) => node.name === nodeName);
  if (old === undefined) return [];
  const pods = emptiestFirst([old]).flatMap(({ podsToMove }) => podsToMove());
  if (pods.length === 0) return [];
  const replacement = replacementOf({ ...old, node: resized(old.node) });
  // Most nodes need no look at the others: all their pods were together on a node of this kind. A plan of a large cluster takes long.
  if (planNodes({ nodes: [replacement], groups: [], pods }).unplaced.size === 0) return [];
  const { unplaced, refusals } = planNodes({
    // The others are replaced as well, or have been.
    nodes: nodes.map((one) => (one === old ? replacement : { ...one, node: resized(one.node) })),
    groups: [],
    pods,
  });
  return [...unplaced].map((pod) => {
    const refused = refusals.get(pod.shape);
    const why = refused === undefined ? '' : `: ${reasonsMessage(refused.nodes, refused.reasons)}`;
    return { pod: `${pod.namespace}/${pod.name}`, why: `it would stay Pending${why.replace(/\.$/, '')}` };
  });
}

const hostnameLabel = 'kubernetes.io/hostname';

/** The node that takes its place: open, with what comes with each node, and with a name of its own. */
function replacementOf({ node, pods }: OccupiedNode): OccupiedNode {
  const { closed: _, ...rest } = node;
  const name = `${node.name}/replacement`;
  const [first, ...others] = node.labelSets;
  const renamed = (labels: Labels): Labels => ({ ...labels, [hostnameLabel]: name });
  const replacement: PlannedNode = {
    ...rest,
    name,
    labelSets: [renamed(first), ...others.map(renamed)],
    taints: node.taints.filter((taint) => !isPassing(taint)),
  };
  return { node: replacement, pods: pods.filter(({ comesWithNode }) => comesWithNode !== undefined) };
}
