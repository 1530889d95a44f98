import type { GatewayResponse } from './client.ts';

type RefusalCode =
  | 'not-found'
  /** The cluster refuses so that it keeps its quorum. */
  | 'unsafe'
  | 'not-in-sync'
  | 'learner-exists'
  | 'peer-exists'
  /** No answer, no leader or no quorum. */
  | 'no-quorum'
  | 'denied'
  | 'other';

/** etcd refused a call, or did not answer it. */
export class EtcdRefusal extends Error {
  override readonly name = 'EtcdRefusal';
  readonly code: RefusalCode;

  constructor(code: RefusalCode, message: string, options?: ErrorOptions) {
    super(message, options);
    this.code = code;
  }

  /** Another member may still answer the call. */
  get isOfOneEndpoint(): boolean {
    return this.code === 'no-quorum' || this.code === 'denied';
  }
}

/** Messages of etcd (`api/v3rpc/rpctypes/error.go`). */
const ofMessage: readonly (readonly [words: string, code: RefusalCode])[] = [
  ['member not found', 'not-found'],
  ['unhealthy cluster', 'unsafe'],
  ['not enough started members', 'unsafe'],
  ['in sync with leader', 'not-in-sync'],
  ['too many learner members', 'learner-exists'],
  ['Peer URLs already exists', 'peer-exists'],
  ['rpc not supported for learner', 'no-quorum'],
];

/** By the code of gRPC, where the message is none of those. */
const ofGrpcCode: ReadonlyMap<number | undefined, RefusalCode> = new Map([
  [4, 'no-quorum'],
  [5, 'not-found'],
  [7, 'denied'],
  [14, 'no-quorum'],
  [16, 'denied'],
]);

/** What an answer other than 200 means. The gateway writes the status of gRPC as JSON. */
export function refusalOf({ status, body }: GatewayResponse): EtcdRefusal {
  if (!body.startsWith('{')) return new EtcdRefusal(status >= 503 ? 'no-quorum' : 'other', body);
  const { code, message = '' } = JSON.parse(body) as { readonly code?: number; readonly message?: string };
  const [, known] = ofMessage.find(([words]) => message.includes(words)) ?? [];
  return new EtcdRefusal(known ?? ofGrpcCode.get(code) ?? 'other', message);
}

/** Codes of Node and OpenSSL for a certificate that one side refuses. */
const ofCertificates =
  /^(CERT_|UNABLE_TO_|DEPTH_ZERO_|SELF_SIGNED_|HOSTNAME_MISMATCH|ERR_TLS_CERT|ERR_SSL_|ERR_OSSL_|EPROTO)/;

/** What a call without an answer means. */
export function refusalOfTransport(error: unknown): EtcdRefusal {
  const { code = '', message } = error as NodeJS.ErrnoException;
  return new EtcdRefusal(ofCertificates.test(code) ? 'denied' : 'no-quorum', message, { cause: error });
}
