const ownershipPrefix = 'kubernetes.io/cluster/';

/** The cluster that the tags of a group name instead of this one. A group without such a tag may have belonged to this one. */
export function otherClusterOf(
  tags: Readonly<Record<string, string>>,
  clusterName: string | undefined,
): string | undefined {
  const keys = Object.keys(tags).filter((key) => key.startsWith(ownershipPrefix));
  if (!clusterName || keys.includes(`${ownershipPrefix}${clusterName}`)) return undefined;
  return keys[0]?.slice(ownershipPrefix.length);
}

/**
 * Whether a kubeconfig and the AWS credentials mean two clusters: no instance in service is a Node. Nodes without the providerID of an instance
 * prove nothing. Pure.
 */
export function isOtherKubeconfig(
  members: readonly { readonly instanceId: string; readonly lifecycleState: string }[],
  /** Undefined for a Node without the providerID of an instance. */
  nodeInstanceIds: readonly (string | undefined)[],
): boolean {
  const inService = members.filter(({ lifecycleState }) => lifecycleState === 'InService');
  const isKnown = nodeInstanceIds.length > 0 && !nodeInstanceIds.includes(undefined);
  return (
    isKnown &&
    inService.length > 0 &&
    !inService.some(({ instanceId }) => nodeInstanceIds.includes(instanceId))
  );
}
