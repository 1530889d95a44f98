import type { IncomingMessage, ServerResponse } from 'node:http';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { type LoopbackServer, openLoopbackServer } from '../../wire/loopback-server.ts';
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
}

/** At `https://127.0.0.1:2379`, say. */
export type EtcdServer = LoopbackServer;

/** etcd's own (`--max-request-bytes`), and some for JSON. */
const maximumBodyBytes = 2 * 1024 * 1024;

/**
 * The client port of one simulated member on a real one. Rejects when the port is taken. A client without a valid
 * certificate is disconnected without the alert that etcd sends: Node's servers cannot send it.
 */
export const serveEtcdMember = (options: EtcdServerOptions): Promise<EtcdServer> =>
  openLoopbackServer({
    port: options.port,
    tls: {
      ca: options.tls.authority,
      cert: options.tls.certificate,
      key: options.tls.key,
      requestCert: true,
      rejectUnauthorized: true,
    },
    answer: (request, response) => {
      // A caller that has gone, or a member that died over its answer: both are broken connections, and no more.
      serve(options, request, response).catch((error: unknown) =>
        response.destroy(error instanceof Error ? error : undefined),
      );
    },
  });

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
  const { pathname, search } = new URL(request.url ?? '/', 'https://etcd');
  const answered = await answer(instanceId, {
    method: request.method ?? 'GET',
    path: pathname,
    query: search,
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
