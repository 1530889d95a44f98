import type { Node, Taint } from 'kubernetes-types/core/v1.d.ts';

/** Taints that Kubernetes, cloud-provider-aws and other controllers remove once a node can serve. */
const known = [
  'node.kubernetes.io/not-ready',
  'node.kubernetes.io/network-unavailable',
  'node.cloudprovider.kubernetes.io/uninitialized',
];
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
    known.includes(key) ||
    named.includes(key) ||
    prefixes.some((prefix) => key.startsWith(prefix)) ||
    key.endsWith(suffix);
  return (node.spec?.taints ?? []).filter(isStartup);
}
