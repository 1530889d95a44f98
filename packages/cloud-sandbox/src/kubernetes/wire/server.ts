import type { IncomingMessage, ServerResponse } from 'node:http';
import { TLSSocket } from 'node:tls';
import { type LoopbackServer, openLoopbackServer } from '../../wire/loopback-server.ts';
import { readBody } from '../../wire/read-body.ts';
import type { ApiRequest, ApiResponse, WatchStream } from '../api/request.ts';
import { failure } from '../api/status-error.ts';
import { nextAuditId } from './audit-id.ts';
import type { CertificateAuthority } from './certificates.ts';
import { packed } from './packed.ts';
import { decodeKubernetesProtobuf } from './protobuf/decode.ts';

export interface KubernetesServerOptions {
  readonly handle: (request: ApiRequest) => Promise<ApiResponse>;
  readonly authority: CertificateAuthority;
  /** 0: any that is free. */
  readonly port: number;
}

/** At `https://127.0.0.1:6443`, say. Closing it ends watches too. */
export type KubernetesServer = LoopbackServer;

/** More than the real server takes in one object (etcd's 1.5 MiB), with room for lists to be posted. */
const maximumBodyBytes = 3 * 1024 * 1024;

const serverNames = ['127.0.0.1', '::1', 'localhost', 'kubernetes.default.svc'];

/** Serves the API over TLS (HTTP/1.1); client certificates are asked for, not required. Rejects when the port is taken. */
export async function serveKubernetes(options: KubernetesServerOptions): Promise<KubernetesServer> {
  const { handle, authority, port } = options;
  const { certificate, key } = authority.issueServer(serverNames);
  return await openLoopbackServer({
    port,
    tls: { cert: certificate, key, ca: authority.certificate, requestCert: true, rejectUnauthorized: false },
    answer: (request, response) => {
      serve(handle, request, response).catch((error: unknown) => fail(response, error));
    },
  });
}

/** A connection that a fault has cut, or a fault of the simulation itself, is a 500 that says what happened. */
function fail(response: ServerResponse, error: unknown): void {
  const message = error instanceof Error ? error.message : String(error);
  if (response.headersSent) {
    response.destroy();
    return;
  }
  const { status } = failure({
    code: 500,
    reason: 'InternalError',
    message: `Internal error occurred: ${message}`,
  });
  response.writeHead(500, { 'content-type': 'application/json' }).end(JSON.stringify(status));
}

async function serve(
  handle: KubernetesServerOptions['handle'],
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const body = await readBody(request, maximumBodyBytes);
  if (body === undefined) {
    refuseSize(response);
    return;
  }
  const answer = await handle({
    method: request.method ?? 'GET',
    path: request.url ?? '/',
    ...contentOf(headersOf(request), body),
    ...certificateOf(request),
  });
  const common = commonHeaders(request);
  if (answer.stream !== undefined) {
    response.writeHead(answer.status, { ...common, ...answer.headers });
    pipe(answer.stream, response);
    return;
  }
  const { headers, body: bytes } = packed(answer, request.headers['accept-encoding']);
  response.writeHead(answer.status, { ...common, ...headers }).end(bytes);
}

/** The headers of every answer: it is not cached, and it has the audit id of the request, if any. */
const commonHeaders = ({ headers }: IncomingMessage) => ({
  'audit-id': String(headers['audit-id'] ?? nextAuditId()),
  'cache-control': 'no-cache, private',
});

function refuseSize(response: ServerResponse): void {
  const message = `Request entity too large: limit is ${maximumBodyBytes}`;
  const { status } = failure({ code: 413, reason: 'RequestEntityTooLarge', message });
  response
    .writeHead(413, { 'content-type': 'application/json', connection: 'close' })
    .end(JSON.stringify(status));
}

function pipe(stream: WatchStream, response: ServerResponse): void {
  response.flushHeaders();
  const close = stream.subscribe({
    line: (text) => void response.write(text),
    end: () => void response.end(),
  });
  response.on('close', close);
}

function headersOf({ headers }: IncomingMessage): Readonly<Record<string, string>> {
  return Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [
      name,
      Array.isArray(value) ? value.join(', ') : (value ?? ''),
    ]),
  );
}

/** The certificate that the client proved to hold the key of; whose it is, the authenticator says. */
function certificateOf({ socket }: IncomingMessage): { readonly clientCertificate?: string } {
  if (!(socket instanceof TLSSocket)) return {};
  const certificate = socket.getPeerX509Certificate();
  return certificate === undefined ? {} : { clientCertificate: certificate.toString() };
}

/** The API server reads JSON. What kubectl sends as protobuf is turned into JSON if its kind is known, and is refused if not. */
function contentOf(headers: ApiRequest['headers'], body: Buffer): Pick<ApiRequest, 'headers' | 'body'> {
  if (body.length === 0) return { headers };
  const isProtobuf = headers['content-type']?.startsWith('application/vnd.kubernetes.protobuf') === true;
  const decoded = isProtobuf ? decodeKubernetesProtobuf(body) : undefined;
  if (decoded === undefined) return { headers, body: body.toString('utf8') };
  return { headers: { ...headers, 'content-type': 'application/json' }, body: decoded };
}
