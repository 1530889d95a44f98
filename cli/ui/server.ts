import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { messageOf } from '../../shared/base/message-of.ts';
import { type AnswerOptions, answerOf } from '../../ui/server/answer.ts';
import { respondProblem } from '../../ui/server/respond.ts';
import { CliError, exitCodes } from '../exit-codes.ts';

export interface PageServerOptions extends AnswerOptions {
  /** 0: any that is free. */
  readonly port: number;
  readonly onFault: (error: unknown) => void;
}

export interface PageServer {
  readonly port: number;
  readonly url: string;
  /** Ends every connection. */
  close(): Promise<void>;
}

const address = '127.0.0.1';

/** Nothing sends much to this server. A browser opens six connections; other users of the machine may open what they like. */
const limits = {
  maxHeaderSize: 8192,
  headersTimeout: 10_000,
  requestTimeout: 10_000,
  connectionsCheckingInterval: 5000,
} as const;
const mostConnections = 200;

/**
 * Serves the page on the loopback address.
 *
 * @throws CliError where the machine does not give the port.
 */
export async function openPageServer(options: PageServerOptions): Promise<PageServer> {
  const { onFault } = options;
  const answer = answerOf(options);
  const server = createServer(limits, (request, response) => {
    answer(request, response).catch((error: unknown) => {
      onFault(error);
      if (response.headersSent) return response.destroy();
      respondProblem(response, { status: 500, title: 'Internal Server Error', detail: messageOf(error) });
    });
  });
  server.maxConnections = mostConnections;
  await new Promise<void>((resolve, reject) => {
    server.once('error', (cause) => reject(portError(options.port, cause)));
    server.listen(options.port, address, resolve);
  });
  const { port } = server.address() as AddressInfo;
  return {
    port,
    url: `http://${address}:${port}/${options.token}/`,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

function portError(port: number, cause: Error): CliError {
  const code = 'code' in cause ? cause.code : undefined;
  const words =
    code === 'EADDRINUSE'
      ? `port ${port} is taken by another program: give --port another number, or leave it out`
      : code === 'EACCES'
        ? `port ${port} needs more rights than this user has: take 1024 or above`
        : `port ${port} cannot be opened`;
  return new CliError(words, exitCodes.failed, code === undefined ? cause : undefined);
}
