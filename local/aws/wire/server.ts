import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AwsHttpRequest } from '../codec/http.ts';
import type { AwsFront } from '../front/front.ts';

export interface AwsServerOptions {
  readonly front: Pick<AwsFront, 'handle'>;
  /** 0: any free port. */
  readonly port: number;
  /** Told of faults of the sandbox itself: errors that AWS would not have. */
  readonly onFault: (error: unknown) => void;
}

export interface AwsServer {
  readonly port: number;
  /** `http://127.0.0.1:<port>`: what AWS_ENDPOINT_URL takes. */
  readonly url: string;
  close(): Promise<void>;
}

const host = '127.0.0.1';
const maximumBodyBytes = 4 * 1024 * 1024;

/** Opens the wire: one port on the loopback address for every simulated service. Rejects when the port is taken. */
export async function startAwsServer({ front, port, onFault }: AwsServerOptions): Promise<AwsServer> {
  const server = createServer((request, response) => {
    answer(request, response, front).catch((error: unknown) => {
      onFault(error);
      if (!response.headersSent) response.writeHead(500, { 'content-type': 'text/plain' });
      response.end('The sandbox has failed; its own output says how.');
    });
  });
  const actualPort = await listen(server, port);
  return {
    port: actualPort,
    url: `http://${host}:${actualPort}`,
    close: () =>
      new Promise((resolve, reject) => {
        server.close((error) => (error === undefined ? resolve() : reject(error)));
        server.closeAllConnections();
      }),
  };
}

const listen = (server: Server, port: number): Promise<number> =>
  new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, host, () => {
      server.off('error', reject);
      const address = server.address();
      resolve(typeof address === 'object' && address !== null ? address.port : port);
    });
  });

async function answer(
  request: IncomingMessage,
  response: ServerResponse,
  front: Pick<AwsFront, 'handle'>,
): Promise<void> {
  const body = await readBody(request);
  if (body === undefined) {
    response.writeHead(413, { 'content-type': 'text/plain', connection: 'close' });
    response.end(`A request to AWS is at most ${maximumBodyBytes} bytes here.`);
    return;
  }
  const result = await front.handle(toAwsRequest(request, body));
  response.writeHead(result.statusCode, {
    ...result.headers,
    'content-length': Buffer.byteLength(result.body),
  });
  response.end(result.body);
}

async function readBody(request: IncomingMessage): Promise<Uint8Array | undefined> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of request) {
    const bytes = Buffer.from(chunk as Uint8Array);
    size += bytes.length;
    if (size > maximumBodyBytes) return undefined;
    chunks.push(bytes);
  }
  return Buffer.concat(chunks);
}

function toAwsRequest(request: IncomingMessage, body: Uint8Array): AwsHttpRequest {
  const [path = '/', ...query] = (request.url ?? '/').split('?');
  const headers = Object.entries(request.headers).map(([name, value]) => [name, String(value)] as const);
  return {
    method: request.method ?? 'GET',
    path,
    query: [...new URLSearchParams(query.join('?'))],
    headers: Object.fromEntries(headers),
    body,
  };
}
