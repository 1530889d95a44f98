/** The message if no group has the cluster's tags: the cluster may be mistyped, or its groups may be in another region. */
export const noManagedGroup = (clusterName: string): string =>
  `no Auto Scaling group in this account and region carries the tags of cluster ${clusterName}`;
