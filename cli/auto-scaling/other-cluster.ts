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
