/** Where the members of the sandbox's etcd find one another. */
export const etcdZone = {
  /** The private zone of the VPC, which stands there before Drover is deployed with its id. */
  zoneName: 'drover.internal',
  zoneId: 'Z0DROVERSANDBOX00001',
  domain: 'etcd.drover.internal',
} as const;
