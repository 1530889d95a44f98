/** A member as the cluster lists it. Ids are unsigned 64-bit numbers in decimal strings: a JavaScript number loses their last digits. */
export interface EtcdMember {
  readonly id: string;
  /** Empty until the member's first start, unless it is one of the first members. */
  readonly name: string;
  readonly peerUrls: readonly string[];
  /** Empty until the member's first start: each member publishes its own. */
  readonly clientUrls: readonly string[];
  readonly isLearner: boolean;
}

/** Whether the member has ever started: it publishes its client URLs then. */
export const hasStarted = ({ clientUrls }: EtcdMember): boolean => clientUrls.length > 0;

/** The linearizable list of members, from a member that has quorum. */
export interface MemberList {
  /** Hexadecimal, as etcdctl prints it. */
  readonly clusterId: string;
  readonly members: readonly EtcdMember[];
}

/** An alarm that etcd has raised on a member. It holds for the whole cluster until it is disarmed. */
export interface EtcdAlarm {
  readonly memberId: string;
  /** `NOSPACE`, `CORRUPT` */
  readonly name: string;
}

/** What one endpoint reports about itself. */
export type EndpointStatus =
  | {
      readonly kind: 'answers';
      readonly clusterId: string;
      readonly memberId: string;
      /** `/health` without the alarm NOSPACE: it can serve with quorum. A full database refuses writes of keys, not of the membership. */
      readonly healthy: boolean;
      readonly alarms: readonly EtcdAlarm[];
      readonly isLearner: boolean;
      /** It is the leader, as it says itself. */
      readonly leads?: true;
      /** `3.6.16` */
      readonly version: string;
      readonly databaseBytes: number;
      /** The revision of its keys, as a decimal string. It only grows during the life of a cluster. */
      readonly revision: string;
    }
  /** `certificate`: the certificate of one side is refused, expired or of another authority. */
  | { readonly kind: 'silent'; readonly why: 'unreachable' | 'certificate'; readonly message: string };

type Answer = Extract<EndpointStatus, { readonly kind: 'answers' }>;

/** Whether it answers and has quorum. */
export const serves = (status: EndpointStatus | undefined): status is Answer =>
  status?.kind === 'answers' && status.healthy;

/** Whether it serves and votes. A learner may be behind, and does not serve the list of members. */
export const canVote = (status: EndpointStatus | undefined): status is Answer =>
  serves(status) && !status.isLearner;

export type EtcdErrorCode =
  /** 404: no such member. */
  | 'not-found'
  /** 503 "unhealthy cluster", 500 "not enough started members": the cluster refuses in order to keep its quorum. */
  | 'unsafe'
  /** The learner is not in sync yet and cannot be promoted. */
  | 'not-in-sync'
  /** "too many learner members". */
  | 'learner-exists'
  /** "Peer URLs already exists". */
  | 'peer-exists'
  /** No answer within the deadline, no leader, no quorum. */
  | 'no-quorum'
  | 'denied'
  | 'other';

/** etcd refused, or did not answer. The message says what to do, and contains no key material. */
export class EtcdError extends Error {
  override readonly name = 'EtcdError';
  readonly code: EtcdErrorCode;

  constructor(code: EtcdErrorCode, message: string, options?: ErrorOptions) {
    super(message, options);
    this.code = code;
  }
}

/** Where a member listens to clients. By address, because Drover is about to change the names. */
export interface EtcdEndpoint {
  /** `https://10.0.1.5:2379` */
  readonly url: string;
  /** The name that its certificate must carry. */
  readonly serverName: string;
}

/**
 * The members of one etcd cluster over their JSON gateways. A call tries the endpoints in order until one answers, each with its
 * own deadline. Methods reject with an EtcdError.
 */
export interface EtcdCluster {
  /** Resolves with `silent` for an endpoint that does not answer. */
  status(endpoint: EtcdEndpoint): Promise<EndpointStatus>;
  /** Linearizable: rejects without quorum. */
  members(endpoints: readonly EtcdEndpoint[]): Promise<MemberList>;
  addLearner(endpoints: readonly EtcdEndpoint[], peerUrls: readonly string[]): Promise<EtcdMember>;
  /** For versions before 3.4, which have no learners. */
  addVoter(endpoints: readonly EtcdEndpoint[], peerUrls: readonly string[]): Promise<EtcdMember>;
  promote(endpoints: readonly EtcdEndpoint[], memberId: string): Promise<void>;
  remove(endpoints: readonly EtcdEndpoint[], memberId: string): Promise<void>;
}

/** Streams the database of one member. The stream ends with a hash of its content, which is verified. */
export interface EtcdSnapshots {
  /** Throws an EtcdError if the stream breaks off or the SHA-256 at its end does not match its content. */
  stream(endpoint: EtcdEndpoint): AsyncIterable<Uint8Array>;
}
