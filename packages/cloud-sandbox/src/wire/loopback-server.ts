import { X509Certificate } from 'node:crypto';
import { createServer, type RequestListener, type Server } from 'node:http';
import { createServer as createTlsServer, type ServerOptions } from 'node:https';
import { isIP } from 'node:net';
import { type IsOwnName, refusalOf } from './foreign-requests.ts';

export interface LoopbackServerOptions {
  /** 0: any that is free. */
  readonly port: number;
  /** Undefined means plain HTTP. Clients may also call the server by the names of its certificate. */
  readonly tls?: ServerOptions & { readonly cert: string };
  /** Further names; default none. */
  readonly isOwnName?: IsOwnName;
  readonly answer: RequestListener;
}

export interface LoopbackServer {
  readonly port: number;
  /** `http://127.0.0.1:4566` */
  readonly url: string;
  /** Ends every connection. */
  close(): Promise<void>;
}

const address = '127.0.0.1';

/** Serves HTTP on the loopback address, and refuses what is meant for another server or comes from a foreign page. Rejects when the port is taken. */
export async function openLoopbackServer(options: LoopbackServerOptions): Promise<LoopbackServer> {
  const { tls, answer } = options;
  const scheme = tls === undefined ? 'http' : 'https';
  const isOwnName = tls === undefined ? (options.isOwnName ?? none) : namesOf(tls.cert);
  const guarded: RequestListener = (request, response) => {
    const refusal = refusalOf(request.headers, { scheme, isOwnName });
    if (refusal === undefined) return answer(request, response);
    request.resume();
    response
      .writeHead(refusal.status, { 'content-type': 'text/plain', 'x-content-type-options': 'nosniff' })
      .end(refusal.message);
  };
  const server = tls === undefined ? createServer(guarded) : createTlsServer(tls, guarded);
  const port = await listen(server, options.port);
  return {
    port,
    url: `${scheme}://${address}:${port}`,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

const none: IsOwnName = () => false;

function namesOf(certificate: string): IsOwnName {
  const parsed = new X509Certificate(certificate);
  return (name) => {
    // Node throws if it is asked about a name of the other kind.
    if (isIP(name)) return parsed.checkIP(name) !== undefined;
    return /^[a-z\d.-]+$/.test(name) && parsed.checkHost(name) !== undefined;
  };
}

function listen(server: Server, port: number): Promise<number> {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, address, () => {
      const bound = server.address();
      resolve(typeof bound === 'object' && bound !== null ? bound.port : port);
    });
  });
}
