import type { IncomingMessage, ServerResponse } from 'node:http';
import { createServer, type Server } from 'node:https';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { readBody } from '../../wire/read-body.ts';
import type { EtcdDoor } from '../door.ts';

export interface EtcdServerOptions {
  readonly answer: EtcdDoor['answer'];
  /** The member whose client port this is. */
  readonly instanceId: string;
  /** PEM; clients must show a certificate of the authority, as with `--client-cert-auth`. */
  readonly tls: { readonly authority: string; readonly certificate: string; readonly key: string };
  /** 0: any that is free. */
  readonly port: number;
  /** Default 127.0.0.1. */
  readonly host?: string;
}

export interface EtcdServer {
  /** `https://127.0.0.1:2379` */
  readonly url: string;
  close(): Promise<void>;
}

/** etcd's own (`--max-request-bytes`), and some for JSON. */
const maximumBodyBytes = 2 * 1024 * 1024;

/**
 * The client port of one simulated member on a real one. Rejects when the port is taken. Who shows no good certificate is
 * cut off without the alert that etcd gives: Node's servers have none.
 */
export async function serveEtcdMember(options: EtcdServerOptions): Promise<EtcdServer> {
  const { tls, port, host = '127.0.0.1' } = options;
  const server = createServer(
    { ca: tls.authority, cert: tls.certificate, key: tls.key, requestCert: true, rejectUnauthorized: true },
    (request, response) => {
      // A caller that has gone, or a member that died over its answer: both are broken connections, and no more.
      serve(options, request, response).catch((error: unknown) =>
        response.destroy(error instanceof Error ? error : undefined),
      );
    },
  );
  const bound = await listen(server, port, host);
  return {
    url: `https://${host}:${bound}`,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

function listen(server: Server, port: number, host: string): Promise<number> {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, host, () => {
      const address = server.address();
      resolve(typeof address === 'object' && address !== null ? address.port : port);
    });
  });
}

async function serve(
  { answer, instanceId }: EtcdServerOptions,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const body = await readBody(request, maximumBodyBytes);
  if (body === undefined) {
    response.writeHead(413, { connection: 'close' }).end();
    return;
  }
  const { pathname } = new URL(request.url ?? '/', 'https://etcd');
  const answered = await answer(instanceId, {
    method: request.method ?? 'GET',
    path: pathname,
    headers: { 'grpc-timeout': String(request.headers['grpc-timeout'] ?? '') },
    body: body.toString('utf8'),
  });
  if (answered === undefined) {
    response.destroy();
    return;
  }
  response.writeHead(answered.status, { ...answered.headers });
  await pipeline(Readable.from(answered.body), response);
}
