import * as z from 'zod/mini';
import { lazily } from '../base/lazily.ts';
import { EtcdError, type EtcdErrorCode } from '../etcd/cluster.ts';

/** grpc-gateway's status: v2 (etcd 3.6) and v1 (3.4) both have these two. */
const failureSchema = lazily(() => z.object({ code: z.number(), message: z.string() }));
type GatewayFailure = z.infer<ReturnType<typeof failureSchema>>;

/** What etcd says (`api/v3rpc/rpctypes/error.go`), and what it means to who asks for a change. */
const meanings: readonly (readonly [words: string, code: EtcdErrorCode])[] = [
  ['member not found', 'not-found'],
  ['unhealthy cluster', 'unsafe'],
  ['not enough started members', 'unsafe'],
  ['in sync with leader', 'not-in-sync'],
  ['too many learner members', 'learner-exists'],
  ['Peer URLs already exists', 'peer-exists'],
  // By itself a learner can decide nothing.
  ['rpc not supported for learner', 'no-quorum'],
];

/** gRPC's own codes, for what has no words of its own. */
const ofGrpcCode: Readonly<Record<number, EtcdErrorCode>> = {
  4: 'no-quorum',
  5: 'not-found',
  7: 'denied',
  14: 'no-quorum',
  16: 'denied',
};

const ofStatus: Readonly<Record<number, EtcdErrorCode>> = {
  401: 'denied',
  403: 'denied',
  503: 'no-quorum',
  504: 'no-quorum',
};

/** The status of a failed call; undefined where the body is none. */
function readFailure(body: string): GatewayFailure | undefined {
  try {
    return failureSchema().safeParse(JSON.parse(body)).data;
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}

/** An answer that is no 200. The body is quoted only where it has the shape that etcd gives its errors. */
export function gatewayFailure(url: string, status: number, body: string): EtcdError {
  const failure = readFailure(body);
  if (failure === undefined)
    return new EtcdError(ofStatus[status] ?? 'other', `${url} answered with HTTP status ${status}`);
  return rpcFailure(url, failure);
}

function rpcFailure(url: string, { code, message }: GatewayFailure): EtcdError {
  const known = meanings.find(([words]) => message.includes(words));
  const advice = isBehindItsOwnTls(message)
    ? ' (the gateway of etcd dials its own server: its certificate needs the usage clientAuth beside serverAuth)'
    : '';
  const text = `${url} answered: ${message}${advice}`;
  if (advice) return new EtcdError('denied', text);
  return new EtcdError(known?.[1] ?? ofGrpcCode[code] ?? 'other', text);
}

const isBehindItsOwnTls = (message: string): boolean => /handshake failed|tls: |x509: /.test(message);

/** Whether another endpoint may answer where this one did not. */
export const isElsewhere = ({ code }: EtcdError): boolean => code === 'no-quorum' || code === 'denied';

/** Node's and OpenSSL's names for a certificate that one of the two sides does not believe. */
const certificateCodes =
  /^(CERT_|UNABLE_TO_|DEPTH_ZERO_|SELF_SIGNED_|INVALID_CA|INVALID_PURPOSE|HOSTNAME_MISMATCH|ERR_TLS_CERT|ERR_SSL_|ERR_OSSL_|EPROTO)/;

/** No answer at all. The message of a TLS error names certificates, never keys. */
export function transportFailure(url: string, error: unknown): EtcdError {
  if (error instanceof EtcdError) return error;
  const message = error instanceof Error ? error.message : String(error);
  return isCertificateFault(error)
    ? new EtcdError('denied', `${url}: the certificate of one side is refused: ${message}`, { cause: error })
    : new EtcdError('no-quorum', `${url} does not answer: ${message}`, { cause: error });
}

/** Whether our certificate or theirs is what the two sides did not agree on. */
function isCertificateFault(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  if ('code' in error && typeof error.code === 'string' && certificateCodes.test(error.code)) return true;
  return isCertificateFault(error.cause);
}
