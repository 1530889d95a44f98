import type { Pod } from 'kubernetes-types/core/v1.d.ts';
import { identityOf, isMirrorPod, isReady, terminatesAt } from '../draining/pod-facts.ts';
import { nameOfNode } from '../nodes/node-names.ts';
import type { RollMember } from './member.ts';

/** Whether the API server of a node is Ready, by the name of the node. Empty if none has a mirror pod in kube-system, as in OpenShift. */
export type ApiServers = ReadonlyMap<string, boolean>;

/**
 * The API servers that kubelets run as static pods: their mirror pods are `kube-apiserver-NODE` in kube-system, with kubeadm and kops. Pure.
 *
 * Source: https://kubernetes.io/docs/reference/setup-tools/kubeadm/implementation-details/
 */
export const apiServersIn = (pods: readonly Pod[]): ApiServers =>
  new Map(
    pods
      .filter(isApiServer)
      .map((pod) => [pod.spec?.nodeName ?? '', isReady(pod) && !isDeleted(pod)] as const),
  );

function isApiServer(pod: Pod): boolean {
  const { namespace, name } = identityOf(pod);
  return (
    namespace === 'kube-system' && isMirrorPod(pod) && name === `kube-apiserver-${pod.spec?.nodeName ?? ''}`
  );
}

const isDeleted = (pod: Pod): boolean => terminatesAt(pod) !== undefined;

/**
 * Why the API server of a control plane does not answer yet; undefined if it does, or if nothing shows it. A node without such a pod is not
 * done while others have one: its kubelet creates it late. Pure.
 */
export function whyNoApiServer({ node }: RollMember, apiServers: ApiServers = new Map()): string | undefined {
  if (node === undefined || apiServers.size === 0) return undefined;
  const name = nameOfNode(node);
  return apiServers.get(name) === true ? undefined : `the API server of ${name} is not Ready`;
}
