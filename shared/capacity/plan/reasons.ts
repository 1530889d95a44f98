/** The words of kube-scheduler in its FailedScheduling events, the same from Kubernetes 1.34 to 1.37. */
export const reasons = {
  unschedulable: 'node(s) were unschedulable',
  /** If each term of the pod's node affinity names nodes, and none names this one. */
  named: "node(s) didn't satisfy plugin(s) [NodeAffinity]",
  nodeName: "node(s) didn't match the requested node name",
  taint: 'node(s) had untolerated taint(s)',
  nodeAffinity: "node(s) didn't match Pod's node affinity/selector",
  hostPorts: "node(s) didn't have free ports for the requested pod ports",
  tooManyPods: 'Too many pods',
  claimInUse:
    'node(s) unavailable due to PersistentVolumeClaim with ReadWriteOncePod access mode already in-use by another pod',
  attachLimit: 'node(s) exceed max volume count',
  volumeAffinity: "node(s) didn't match PersistentVolume's node affinity",
  volumeZone: 'node(s) had no available volume zone',
  noVolumeToBind: "node(s) didn't find available persistent volumes to bind",
  unboundImmediate: 'pod has unbound immediate PersistentVolumeClaims',
  spread: "node(s) didn't match pod topology spread constraints",
  spreadLabel: "node(s) didn't match pod topology spread constraints (missing required label)",
  podAffinity: "node(s) didn't match pod affinity rules",
  podAntiAffinity: "node(s) didn't match pod anti-affinity rules",
  otherAntiAffinity: "node(s) didn't satisfy existing pods anti-affinity rules",
} as const;

export const insufficient = (resource: string): string => `Insufficient ${resource}`;

export const claimNotFound = (name: string): string => `persistentvolumeclaim "${name}" not found`;

export const claimDeleted = (name: string): string => `persistentvolumeclaim "${name}" is being deleted`;

export const claimLost = (name: string, volume: string): string =>
  `persistentvolumeclaim "${name}" bound to non-existent persistentvolume "${volume}"`;

export const volumeNotFound = (name: string): string => `persistentvolume "${name}" not found`;

/** Reasons about the pod, which the scheduler gives without a number of nodes. */
const isOfPod = (reason: string): boolean =>
  reason === reasons.unboundImmediate || /^persistentvolume(claim)? "/.test(reason);

/** How many nodes refused a pod, by reason. */
export type ReasonCounts = ReadonlyMap<string, number>;

/** Counts the reasons of several nodes. A node may have several, for example if it lacks both CPU and memory. */
export function countReasons(reasonsOfNodes: Iterable<readonly string[]>): ReasonCounts {
  const counts = new Map<string, number>();
  for (const reasonsOfNode of reasonsOfNodes)
    for (const reason of reasonsOfNode) counts.set(reason, (counts.get(reason) ?? 0) + 1);
  return counts;
}

/** The message of the scheduler's event: `0/3 nodes are available: 1 Too many pods, 2 Insufficient cpu.` */
export function reasonsMessage(nodes: number, counts: ReasonCounts): string {
  if (nodes === 0) return 'no nodes available to schedule pods';
  const parts = [...counts]
    .map(([reason, count]) => (isOfPod(reason) ? reason : `${count} ${reason}`))
    .toSorted();
  return `0/${nodes} nodes are available: ${parts.join(', ')}.`;
}
