import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { onTestFinished, vi } from 'vitest';
import type { AwsConnection } from '../../shared/aws/connection.ts';
import type { SendHttp } from '../../shared/net/http.ts';
import { sendHttp } from '../../shared/net/send-http.ts';
import { awsConnection } from '../../shared/runtime/aws-connection.ts';

export interface Asked {
  readonly path: string;
  readonly headers: IncomingMessage['headers'];
  readonly body: string;
}

export interface Answer {
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
}

/** A server that answers requests instead of AWS, with the given answers. It fails if it gets more requests than answers. */
export async function awsOnLoopback(answer: readonly Answer[] | ((asked: Asked) => Answer)) {
  const asked: Asked[] = [];
  const answerTo = (request: Asked): Answer => {
    asked.push(request);
    if (typeof answer === 'function') return answer(request);
    return answer[asked.length - 1] ?? { status: 400, body: '<unexpected/>' };
  };
  const server = createServer((request, response) => {
    let body = '';
    request.on('data', (chunk: Buffer) => {
      body += chunk.toString('latin1');
    });
    request.on('end', () => {
      respond(response, answerTo({ path: request.url ?? '', headers: request.headers, body }));
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const environment = {
    AWS_REGION: 'eu-west-1',
    AWS_ACCESS_KEY_ID: 'AKIATEST',
    AWS_SECRET_ACCESS_KEY: 'secret',
    AWS_ENDPOINT_URL: url,
  };
  const connection = (send: SendHttp = sendHttp): AwsConnection =>
    awsConnection({ environment, clock: { now: () => Date.now() }, sendHttp: send });
  return { asked, environment, connection };
}

function respond(response: ServerResponse, { status = 200, headers = {}, body = '' }: Answer): void {
  response.writeHead(status, { 'x-amzn-requestid': 'request-1', ...headers });
  response.end(body);
}

/** An error of the Query protocol, and of S3. */
export const refusal = (code: string, status = 400): Answer => ({
  status,
  body: `<ErrorResponse><Error><Code>${code}</Code><Message>no</Message></Error></ErrorResponse>`,
});

/** An answer of Auto Scaling. */
export const autoScalingAnswer = (operation: string, result = ''): Answer => ({
  body: `<${operation}Response><${operation}Result>${result}</${operation}Result></${operation}Response>`,
});

/** Lets the SDK wait for no time between two attempts; returns how long it would have waited, in milliseconds. */
export function withoutWaits(): readonly number[] {
  const waits: number[] = [];
  const spy = vi.spyOn(globalThis, 'setTimeout').mockImplementation(((
    task: () => void,
    milliseconds: number,
  ) => {
    waits.push(milliseconds);
    return setImmediate(task);
  }) as unknown as typeof setTimeout);
  onTestFinished(() => spy.mockRestore());
  return waits;
}
