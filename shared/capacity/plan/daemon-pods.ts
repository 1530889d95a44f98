import type { DaemonSet } from 'kubernetes-types/apps/v1.d.ts';
import type { Pod } from 'kubernetes-types/core/v1.d.ts';
import { daemonSetKey } from '../../draining/daemon-sets.ts';
import { selectsNode } from './node-affinity.ts';
import { type PodSurroundings, plannedPodOf, withShape } from './pod.ts';
import { largestOf } from './requests.ts';
import { daemonSetTolerations, hostNetworkToleration, toleratesTaints } from './taints.ts';
import type { OccupiedNode, PlannedNode, PlannedPod } from './types.ts';

/**
 * The pod that a DaemonSet makes on a new node. Admission may add to its requests, as a LimitRange or a sidecar injector does, which the template does
 * not show: the pods that run are the better source, and the larger of both counts.
 *
 * @param running the pods of the cluster, of any kind.
 * @throws QuantityError
 */
export function daemonPodOf(
  { metadata, spec }: DaemonSet,
  running: readonly PlannedPod[],
  surroundings: PodSurroundings,
): PlannedPod {
  const name = { namespace: metadata?.namespace ?? 'default', name: metadata?.name ?? '' };
  const template = spec?.template;
  const pod: Pod = {
    metadata: { ...template?.metadata, ...name },
    spec: {
      ...template?.spec,
      containers: template?.spec?.containers ?? [],
      tolerations: [
        ...(template?.spec?.tolerations ?? []),
        ...daemonSetTolerations,
        ...(template?.spec?.hostNetwork === true ? [hostNetworkToleration] : []),
      ],
    },
  };
  const { shape: _, ...planned } = plannedPodOf(pod, surroundings);
  const own = running.filter((other) => isOf(other, daemonSetKey(name)));
  return withShape({
    ...planned,
    requests: own.map(({ requests }) => requests).reduce(largestOf, planned.requests),
    rankedRequests: own.map(({ rankedRequests }) => rankedRequests).reduce(largestOf, planned.rankedRequests),
    comesWithNode: { daemonSet: daemonSetKey(name) },
  });
}

/** The DaemonSet controller looks at the node's name, labels and taints, not at its room (NodeShouldRunDaemonPod). */
export const runsOn = (pod: PlannedPod, node: PlannedNode): boolean =>
  (pod.nodeName === undefined || pod.nodeName === node.name) &&
  selectsNode(pod, node) &&
  toleratesTaints(pod.tolerations, node.taints);

/**
 * A node with the pods of DaemonSets that are not on it yet. A node is Ready some seconds before they are bound: their room is not free, although
 * nothing occupies it (kubernetes/autoscaler#6031).
 */
export function withMissingDaemonPods(
  occupied: OccupiedNode,
  daemonPods: readonly PlannedPod[],
): OccupiedNode {
  const missing = daemonPods.filter(
    (pod) =>
      runsOn(pod, occupied.node) &&
      !occupied.pods.some((other) => isOf(other, daemonSetOfPlanned(pod)) && !other.isTerminating),
  );
  return missing.length === 0 ? occupied : { ...occupied, pods: [...occupied.pods, ...missing] };
}

const daemonSetOfPlanned = ({ comesWithNode }: PlannedPod): string | undefined =>
  typeof comesWithNode === 'object' ? comesWithNode.daemonSet : undefined;

const isOf = (pod: PlannedPod, daemonSet: string | undefined): boolean =>
  daemonSet !== undefined && daemonSetOfPlanned(pod) === daemonSet;
