import { type Filter, passes, refuseUnless } from './filter.ts';
import { collide } from './host-ports.ts';
import { namesIn, selectsNode } from './node-affinity.ts';
import { reasons } from './reasons.ts';
import { toleratesTaints } from './taints.ts';

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
