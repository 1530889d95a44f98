/** Where the members of the sandbox's etcd find one another, and where their snapshots are kept. */
export const etcdZone = {
  /** The private zone of the VPC, which exists before Drover is deployed with its id. */
  zoneName: 'drover.internal',
  zoneId: 'Z0DROVERSANDBOX00001',
  domain: 'etcd.drover.internal',
  snapshotBucket: 'drover-etcd-snapshots',
} as const;
