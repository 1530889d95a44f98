/** The flags of etcd that decide where a member belongs. The default is state new, without other members. */
export interface EtcdFlags {
  /** `--name`; default: the instance's id. */
  readonly name?: string;
  readonly initialClusterState: 'new' | 'existing';
  /** `--initial-advertise-peer-urls`, one. */
  readonly peerUrl: string;
  /** `--advertise-client-urls`, only one, at which it also listens to clients. */
  readonly clientUrl: string;
  /** `--initial-cluster` and, with SRV records, what was found instead: name and peer URL. */
  readonly initialCluster?: readonly InitialMember[];
  /** `--discovery-srv` */
  readonly discoverySrv?: string;
  /** `--discovery-srv-name` */
  readonly discoverySrvName?: string;
  /** `--initial-cluster-token` */
  readonly initialClusterToken?: string;
}

export interface InitialMember {
  readonly name: string;
  readonly peerUrl: string;
}

/**
 * What a name server answers: addresses for A and AAAA, `priority weight port target` for SRV, as in a zone. Empty if there
 * is no such record.
 */
export type Resolve = (name: string, type: 'A' | 'AAAA' | 'SRV') => readonly string[];

/** What ends an etcd before it serves, or while it does; the words are etcd's own. */
export interface Exit {
  readonly code: number;
  readonly message: string;
}

export const isExit = (outcome: object): outcome is Exit => 'code' in outcome;
