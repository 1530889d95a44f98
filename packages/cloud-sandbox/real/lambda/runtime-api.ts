import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { maximumResponseBytes } from '../../src/lambda/platform-errors.ts';
import type { RuntimeInvocation } from '../../src/lambda/runtime.ts';

/** A call of a runtime, with the status of the response. */
export type RuntimeCall =
  | { readonly kind: 'next' }
  | {
      readonly kind: 'response' | 'error' | 'init-error';
      readonly requestId: string;
      readonly body: string;
      readonly status: number;
    };

export interface RuntimeApi {
  /** The value of AWS_LAMBDA_RUNTIME_API. */
  readonly address: string;
  /** The runtime gets this invocation when it asks for the next one. */
  readonly hand: (invocation: RuntimeInvocation) => void;
  /** The platform no longer waits for this invocation: its response is refused. */
  readonly forget: (requestId: string) => void;
  close(): void;
}

interface RuntimeApiOptions {
  readonly functionArn: string;
  readonly onCall: (call: RuntimeCall) => void;
}

const answerPath =
  /^\/2018-06-01\/runtime\/(?:invocation\/(?<id>[^/]+)\/(?<kind>response|error)|init\/error)$/;
const nextPath = '/2018-06-01/runtime/invocation/next';

/**
 * The runtime API of one execution environment, on loopback. A runtime gets its invocations from it and sends its responses to it.
 * https://docs.aws.amazon.com/lambda/latest/dg/runtimes-api.html
 */
export async function serveRuntimeApi({ functionArn, onCall }: RuntimeApiOptions): Promise<RuntimeApi> {
  const underWay = new Set<string>();
  let waiting: ServerResponse | undefined;
  let handed: RuntimeInvocation | undefined;

  const deliver = (): void => {
    if (!waiting || !handed) return;
    waiting.writeHead(200, headersOf(handed, functionArn)).end(handed.payload);
    underWay.add(handed.requestId);
    waiting = undefined;
    handed = undefined;
  };
  const statusOf = (requestId: string, body: string): number => {
    if (requestId !== '' && !underWay.has(requestId)) return 400;
    return Buffer.byteLength(body) > maximumResponseBytes ? 413 : 202;
  };
  const takeAnswer = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const { id = '', kind = 'init-error' } = answerPath.exec(request.url ?? '')?.groups ?? {};
    const body = await read(request);
    const status = statusOf(id, body);
    underWay.delete(id);
    response.writeHead(status, { 'content-type': 'application/json' }).end(bodyOf(status));
    onCall({ kind: kind as 'response', requestId: id, body, status });
  };

  // An error has a header for X-Ray that contains its whole stack.
  const server = createServer({ maxHeaderSize: 1024 * 1024 }, (request, response) => {
    if (request.url === nextPath) {
      waiting = response;
      onCall({ kind: 'next' });
      deliver();
    } else if (answerPath.test(request.url ?? '')) void takeAnswer(request, response);
    else response.writeHead(404).end();
  });
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  return {
    address: `127.0.0.1:${(server.address() as AddressInfo).port}`,
    hand: (invocation) => {
      handed = invocation;
      deliver();
    },
    forget: (requestId) => void underWay.delete(requestId),
    close: () => {
      server.close();
      server.closeAllConnections();
    },
  };
}

const headersOf = ({ requestId, deadline, traceHeader }: RuntimeInvocation, functionArn: string) => ({
  'content-type': 'application/json',
  'lambda-runtime-aws-request-id': requestId,
  'lambda-runtime-deadline-ms': String(deadline),
  'lambda-runtime-invoked-function-arn': functionArn,
  ...(traceHeader !== '' && { 'lambda-runtime-trace-id': traceHeader }),
});

function bodyOf(status: number): string {
  if (status === 202) return JSON.stringify({ status: 'OK' });
  const errorType = status === 413 ? 'RequestEntityTooLarge' : 'InvalidRequestID';
  return JSON.stringify({ errorType, errorMessage: errorType });
}

async function read(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString('utf8');
}
