import type { Node, Taint } from 'kubernetes-types/core/v1.d.ts';

/** Taints that others take away once a node can serve: Kubernetes itself, cloud-provider-aws, and cluster-autoscaler's startup taints. */
const known = [
  'node.kubernetes.io/not-ready',
  'node.kubernetes.io/network-unavailable',
  'node.cloudprovider.kubernetes.io/uninitialized',
];
const prefixes = [
  'startup-taint.cluster-autoscaler.kubernetes.io/',
  'ignore-taint.cluster-autoscaler.kubernetes.io/',
];
/** `node.cilium.io/agent-not-ready`, `ebs.csi.aws.com/agent-not-ready` and the like. */
const suffix = '/agent-not-ready';

/** The startup taints that a Node still has: the known ones, and those that its group names by their keys. Pure. */
export function startupTaints(node: Node, named: readonly string[]): readonly Taint[] {
  const isStartup = ({ key }: Taint): boolean =>
    known.includes(key) ||
    named.includes(key) ||
    prefixes.some((prefix) => key.startsWith(prefix)) ||
    key.endsWith(suffix);
  return (node.spec?.taints ?? []).filter(isStartup);
}
