import * as z from 'zod/mini';
import { lazily } from '../base/lazily.ts';
import { EtcdError, type EtcdErrorCode } from '../etcd/cluster.ts';

/** The status of grpc-gateway. Both v2 (etcd 3.6) and v1 (3.4) have these fields. */
const failureSchema = lazily(() => z.object({ code: z.number(), message: z.string() }));
type GatewayFailure = z.infer<ReturnType<typeof failureSchema>>;

/** Messages of etcd (`api/v3rpc/rpctypes/error.go`), and their codes here. */
const meanings: readonly (readonly [text: string, code: EtcdErrorCode])[] = [
  ['member not found', 'not-found'],
  ['unhealthy cluster', 'unsafe'],
  ['not enough started members', 'unsafe'],
  ['in sync with leader', 'not-in-sync'],
  ['too many learner members', 'learner-exists'],
  ['Peer URLs already exists', 'peer-exists'],
  // A learner cannot serve the call; another member can.
  ['rpc not supported for learner', 'no-quorum'],
];

/** gRPC codes, for messages that are not listed above. */
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

/** The status of a failed call; undefined if the body is not a status. */
function readFailure(body: string): GatewayFailure | undefined {
  try {
    return failureSchema().safeParse(JSON.parse(body)).data;
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}

/** The error for an answer other than 200. It quotes the body only if that has the shape of an etcd error. */
export function gatewayFailure(url: string, status: number, body: string): EtcdError {
  const failure = readFailure(body);
  if (failure === undefined)
    return new EtcdError(ofStatus[status] ?? 'other', `${url} answered with HTTP status ${status}`);
  return rpcFailure(url, failure);
}

function rpcFailure(url: string, { code, message }: GatewayFailure): EtcdError {
  const known = meanings.find(([text]) => message.includes(text));
  const advice = isBehindItsOwnTls(message)
    ? ' (the gateway of etcd connects to its own server: its certificate needs the usage clientAuth besides serverAuth)'
    : '';
  const full = `${url} answered: ${message}${advice}`;
  if (advice) return new EtcdError('denied', full);
  return new EtcdError(known?.[1] ?? ofGrpcCode[code] ?? 'other', full);
}

const isBehindItsOwnTls = (message: string): boolean => /handshake failed|tls: |x509: /.test(message);

/** Whether another endpoint may answer the call. */
export const isWorthAnotherEndpoint = ({ code }: EtcdError): boolean =>
  code === 'no-quorum' || code === 'denied';

/** Codes of Node and OpenSSL for a certificate that one side refuses. */
const certificateCodes =
  /^(CERT_|UNABLE_TO_|DEPTH_ZERO_|SELF_SIGNED_|INVALID_CA|INVALID_PURPOSE|HOSTNAME_MISMATCH|ERR_TLS_CERT|ERR_SSL_|ERR_OSSL_|EPROTO)/;

/** The error for a call without an answer. The message of a TLS error names certificates, never keys. */
export function transportFailure(url: string, error: unknown): EtcdError {
  if (error instanceof EtcdError) return error;
  const message = error instanceof Error ? error.message : String(error);
  return isCertificateFault(error)
    ? new EtcdError('denied', `${url}: the certificate of one side is refused: ${message}`, { cause: error })
    : new EtcdError('no-quorum', `${url} does not answer: ${message}`, { cause: error });
}

/** Whether one side refused the certificate of the other. */
function isCertificateFault(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  if ('code' in error && typeof error.code === 'string' && certificateCodes.test(error.code)) return true;
  return isCertificateFault(error.cause);
}
