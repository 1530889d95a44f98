import { type Filter, type NodeCheck, passes, refuseUnless } from './filter.ts';
import { collide } from './host-ports.ts';
import { namesIn, selectsNode } from './node-affinity.ts';
import type { NodeState } from './node-state.ts';
import { insufficient, reasons } from './reasons.ts';
import { podsResource } from './requests.ts';
import { toleratesTaints } from './taints.ts';
import type { PlannedPod } from './types.ts';

/** NodeAffinity's PreFilter: where each term of the pod names nodes, as those of DaemonSets do, no other node is looked at. */
export const namedFilter: Filter = ({ nodeTerms }) => {
  const names = nodeTerms && namesIn(nodeTerms);
  return names === undefined ? undefined : refuseUnless(reasons.named, ({ node }) => names.has(node.name));
};

/** A node that is cordoned, leaving or not Ready gives no room, whatever a pod tolerates: it would have to move soon. */
export const closedFilter: Filter =
  () =>
  ({ node }) =>
    node.closed === undefined ? passes : [node.closed];

/** NodeName. */
export const nodeNameFilter: Filter = ({ nodeName }) =>
  nodeName === undefined ? undefined : refuseUnless(reasons.nodeName, ({ node }) => node.name === nodeName);

/** TaintToleration. */
export const taintFilter: Filter = ({ tolerations }) =>
  refuseUnless(reasons.taint, ({ node }) => toleratesTaints(tolerations, node.taints));

/** NodeAffinity: `nodeSelector` and required node affinity. */
export const nodeAffinityFilter: Filter = (pod) =>
  pod.nodeTerms === undefined && Object.keys(pod.nodeSelector).length === 0
    ? undefined
    : refuseUnless(reasons.nodeAffinity, ({ node }) => selectsNode(pod, node));

/** NodePorts. */
export const hostPortsFilter: Filter = ({ hostPorts }) =>
  hostPorts.length === 0
    ? undefined
    : refuseUnless(
        reasons.hostPorts,
        (state) => !hostPorts.some((port) => state.hostPorts.some((taken) => collide(port, taken))),
      );

type Requests = Pick<PlannedPod, 'requests'>;

/** NodeResourcesFit: a place among the pods of the node, and what is left of each resource that the pod requests. */
export const resourcesFilter: Filter = (pod): NodeCheck => {
  const asked = askedBy(pod);
  return (state) => {
    const short = asked.filter(([name, amount]) => !(amount <= leftOf(state, name)));
    const isFull = !(leftOf(state, podsResource) >= 1);
    if (short.length === 0 && !isFull) return passes;
    return [...(isFull ? [reasons.tooManyPods] : []), ...short.map(([name]) => insufficient(name))];
  };
};

/** The same without reasons, which is much faster. */
export function hasResources(pod: Requests): (state: NodeState) => boolean {
  const asked = askedBy(pod);
  return (state) => {
    if (!(leftOf(state, podsResource) >= 1)) return false;
    for (const [name, amount] of asked) if (!(amount <= leftOf(state, name))) return false;
    return true;
  };
}

const askedBy = ({ requests }: Requests): readonly (readonly [string, number])[] =>
  [...requests].filter(([name, amount]) => amount > 0 && name !== podsResource);

/** Comparisons are written so that NaN never gives room. */
const leftOf = ({ left }: NodeState, resource: string): number => left.get(resource) ?? 0;
