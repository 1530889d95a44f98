import type { IncomingMessage, ServerResponse } from 'node:http';
import { type LoopbackServer, type LoopbackServerOptions, openLoopbackServer } from './loopback-server.ts';

/** A plain HTTP server on the loopback address. */
export type HttpDoor = LoopbackServer;

export interface HttpDoorOptions extends Pick<LoopbackServerOptions, 'port' | 'isOwnName'> {
  readonly answer: (request: IncomingMessage, response: ServerResponse) => Promise<void>;
  /** Gets what `answer` rejects with; the caller gets a 500. */
  readonly onFault: (error: unknown) => void;
}

/** Rejects when the port is taken. */
export const openHttpDoor = ({ answer, onFault, ...options }: HttpDoorOptions): Promise<HttpDoor> =>
  openLoopbackServer({
    ...options,
    answer: (request, response) => {
      answer(request, response).catch((error: unknown) => {
        onFault(error);
        if (!response.headersSent) response.writeHead(500, { 'content-type': 'text/plain' });
        response.end('The sandbox has failed; its own output says how.\n');
      });
    },
  });
