/** How grpc-gateway answers what gRPC refused. */
export interface GrpcFailure {
  readonly status: number;
  readonly code: number;
  readonly message: string;
}

const failure = (status: number, code: number, message: string): GrpcFailure => ({ status, code, message });

/** etcd's words (`api/v3rpc/rpctypes/error.go`), and the status that the gateway of 3.6 gives each. */
export const failures = {
  unhealthy: failure(503, 14, 'etcdserver: unhealthy cluster'),
  notEnoughStarted: failure(500, 2, 'etcdserver: re-configuration failed due to not enough started members'),
  notFound: failure(404, 5, 'etcdserver: member not found'),
  notReady: failure(400, 9, 'etcdserver: can only promote a learner member which is in sync with leader'),
  notLearner: failure(400, 9, 'etcdserver: can only promote a learner member'),
  tooManyLearners: failure(400, 9, 'etcdserver: too many learner members in cluster'),
  peerUrlExists: failure(400, 9, 'etcdserver: Peer URLs already exists'),
  notForLearners: failure(400, 9, 'etcdserver: rpc not supported for learner'),
  noLeader: failure(503, 14, 'etcdserver: no leader'),
  noSpace: failure(429, 8, 'etcdserver: mvcc: database space exceeded'),
  timedOut: failure(503, 14, 'etcdserver: request timed out'),
  deadline: failure(504, 4, 'context deadline exceeded'),
  notImplemented: failure(501, 12, 'Method Not Allowed'),
  notThere: failure(404, 5, 'Not Found'),
} as const;

export const badRequest = (message: string): GrpcFailure => failure(400, 3, message);

/** Thrown inside the simulated gateway, and turned into an answer at its border. */
export class GrpcError extends Error {
  override readonly name = 'GrpcError';
  readonly failure: GrpcFailure;

  constructor(reason: GrpcFailure) {
    super(reason.message);
    this.failure = reason;
  }
}
