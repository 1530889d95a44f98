import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';

/** A plain HTTP server on the loopback address. */
export interface HttpDoor {
  readonly port: number;
  /** `http://127.0.0.1:<port>` */
  readonly url: string;
  close(): Promise<void>;
}

const host = '127.0.0.1';

/** Rejects when the port is taken. `onFault` is told of what `answer` rejects with; the caller gets a 500. */
export async function openHttpDoor({
  port,
  answer,
  onFault,
}: {
  readonly port: number;
  readonly answer: (request: IncomingMessage, response: ServerResponse) => Promise<void>;
  readonly onFault: (error: unknown) => void;
}): Promise<HttpDoor> {
  const server = createServer((request, response) => {
    answer(request, response).catch((error: unknown) => {
      onFault(error);
      if (!response.headersSent) response.writeHead(500, { 'content-type': 'text/plain' });
      response.end('The sandbox has failed; its own output says how.\n');
    });
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, host, () => resolve());
  });
  const address = server.address();
  const bound = typeof address === 'object' && address !== null ? address.port : port;
  return {
    port: bound,
    url: `http://${host}:${bound}`,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
