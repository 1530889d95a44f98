/** A member as the cluster lists it. Ids are unsigned 64-bit numbers, as decimal strings: JavaScript's lose the last digits. */
export interface EtcdMember {
  readonly id: string;
  /** Empty until it has started for the first time, unless it is one of the first members. */
  readonly name: string;
  readonly peerUrls: readonly string[];
  /** Empty until it has started for the first time: a member tells them itself. */
  readonly clientUrls: readonly string[];
  readonly isLearner: boolean;
}

/** Whether a member has ever told the cluster that it serves. */
export const hasStarted = ({ clientUrls }: EtcdMember): boolean => clientUrls.length > 0;

/** The linearizable list of members, from one that has quorum. */
export interface MemberList {
  /** Hexadecimal, as etcdctl prints it. */
  readonly clusterId: string;
  readonly members: readonly EtcdMember[];
}

/** What one endpoint says of itself. */
export type EndpointStatus =
  | {
      readonly kind: 'answers';
      readonly clusterId: string;
      readonly memberId: string;
      /** `/health`: it can serve with quorum. */
      readonly healthy: boolean;
      readonly isLearner: boolean;
      /** `3.6.16` */
      readonly version: string;
      readonly databaseBytes: number;
    }
  /** `certificate`: ours or theirs is refused, expired or of another authority. */
  | { readonly kind: 'silent'; readonly why: 'unreachable' | 'certificate'; readonly message: string };

type Answer = Extract<EndpointStatus, { readonly kind: 'answers' }>;

/** It answers, and has quorum. */
export const serves = (status: EndpointStatus | undefined): status is Answer =>
  status?.kind === 'answers' && status.healthy;

/** It serves and votes: a learner may be behind, and does not serve the list of members. */
export const canVote = (status: EndpointStatus | undefined): status is Answer =>
  serves(status) && !status.isLearner;

export type EtcdErrorCode =
  /** 404: no such member. */
  | 'not-found'
  /** 503 "unhealthy cluster", 500 "not enough started members": the cluster itself refuses, for its quorum's sake. */
  | 'unsafe'
  /** A learner that is not in step yet cannot be promoted. */
  | 'not-in-sync'
  /** "too many learner members". */
  | 'learner-exists'
  /** "Peer URLs already exists". */
  | 'peer-exists'
  /** No answer within the deadline, no leader, no quorum. */
  | 'no-quorum'
  | 'denied'
  | 'other';

/** etcd said no, or nothing; the message tells an operator what to do. Carries no key material. */
export class EtcdError extends Error {
  override readonly name = 'EtcdError';
  readonly code: EtcdErrorCode;

  constructor(code: EtcdErrorCode, message: string, options?: ErrorOptions) {
    super(message, options);
    this.code = code;
  }
}

/** Where a member listens to clients: by address, for names are what we are about to change. */
export interface EtcdEndpoint {
  /** `https://10.0.1.5:2379` */
  readonly url: string;
  /** The name that its certificate must carry. */
  readonly serverName: string;
}

/**
 * The members of one etcd cluster over their JSON gateways. Endpoints are asked in turn until one answers; every call has a
 * deadline of its own. Methods reject with an EtcdError.
 */
export interface EtcdCluster {
  /** Never rejects for an endpoint that does not answer: that is an answer too. */
  status(endpoint: EtcdEndpoint): Promise<EndpointStatus>;
  /** Linearizable: without quorum it rejects. */
  members(endpoints: readonly EtcdEndpoint[]): Promise<MemberList>;
  addLearner(endpoints: readonly EtcdEndpoint[], peerUrls: readonly string[]): Promise<EtcdMember>;
  /** For versions before 3.4, which know no learners. */
  addVoter(endpoints: readonly EtcdEndpoint[], peerUrls: readonly string[]): Promise<EtcdMember>;
  promote(endpoints: readonly EtcdEndpoint[], memberId: string): Promise<void>;
  remove(endpoints: readonly EtcdEndpoint[], memberId: string): Promise<void>;
}

/** The database of one member, as it is streamed: chunks in order, the whole verified by its own hash at the end. */
export interface EtcdSnapshots {
  /** Ends with an EtcdError where the stream breaks off or the SHA-256 at its end is not that of what stands before it. */
  stream(endpoint: EtcdEndpoint): AsyncIterable<Uint8Array>;
}
