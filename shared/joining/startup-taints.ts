import type { Node, Taint } from 'kubernetes-types/core/v1.d.ts';

/** Taints that are removed once a node can serve, with what removes them. */
const known: ReadonlyMap<string, string> = new Map([
  ['node.kubernetes.io/not-ready', 'kube-controller-manager'],
  ['node.kubernetes.io/network-unavailable', 'the network plugin'],
  // A kubelet with --cloud-provider=external registers with it.
  ['node.cloudprovider.kubernetes.io/uninitialized', 'cloud-controller-manager'],
  ['node.cluster.x-k8s.io/uninitialized', 'Cluster API'],
]);
const prefixes = [
  'startup-taint.cluster-autoscaler.kubernetes.io/',
  'ignore-taint.cluster-autoscaler.kubernetes.io/',
  // node-readiness-controller (kubernetes-sigs), one for each condition that its rules name.
  'readiness.k8s.io/',
];
/** Such as `node.cilium.io/agent-not-ready` and `ebs.csi.aws.com/agent-not-ready`. */
const suffix = '/agent-not-ready';

/** The startup taints that a Node still has: known ones, and those whose keys its group names. */
export function startupTaints(node: Node, named: readonly string[]): readonly Taint[] {
  const isStartup = ({ key }: Taint): boolean =>
    known.has(key) ||
    named.includes(key) ||
    prefixes.some((prefix) => key.startsWith(prefix)) ||
    key.endsWith(suffix);
  return (node.spec?.taints ?? []).filter(isStartup);
}

/** `KEY, which cloud-controller-manager removes`, or only the key if Drover does not know what removes the taint. */
export const describeStartupTaint = ({ key }: Taint): string => {
  const remover = known.get(key);
  return remover === undefined ? key : `${key}, which ${remover} removes`;
};
