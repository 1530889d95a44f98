/** What every world calls them. */
export const clusterName = 'drover';
export const hookName = 'drover-node-leaving';
export const joiningHookName = 'drover-node-joining';
