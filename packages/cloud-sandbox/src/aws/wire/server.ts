import type { IncomingMessage, ServerResponse } from 'node:http';
import { type HttpDoor, openHttpDoor } from '../../wire/http-door.ts';
import { readBody } from '../../wire/read-body.ts';
import type { AwsHttpRequest } from '../codec/http.ts';
import type { AwsFront } from '../front/front.ts';

export interface AwsServerOptions {
  readonly front: Pick<AwsFront, 'handle'>;
  /** What the issuer of the account's web identity tokens shows everybody at a path; `base` is the address that was asked. Undefined if it has none. */
  readonly issuerDocument?: (path: string, base: string) => Promise<object | undefined>;
  /** 0: any free port. */
  readonly port: number;
  /** Called for faults of the sandbox itself: errors that AWS would not have. */
  readonly onFault: (error: unknown) => void;
}

/** S3 takes parts of 8 MB. */
const maximumBodyBytes = 16 * 1024 * 1024;

/** Opens the wire: one port for every simulated service; its URL is what AWS_ENDPOINT_URL takes. Rejects when the port is taken. */
export const startAwsServer = ({
  front,
  issuerDocument,
  port,
  onFault,
}: AwsServerOptions): Promise<HttpDoor> =>
  openHttpDoor({
    port,
    onFault,
    isOwnName: (name) => isBucketName(name) || isServiceName(name),
    answer: async (request, response) => {
      const { method, url = '', headers } = request;
      const document =
        method === 'GET' && url.startsWith('/.well-known/')
          ? await issuerDocument?.(url, `http://${headers.host}`)
          : undefined;
      if (document === undefined) return await answer(request, response, front);
      response.writeHead(200, { 'content-type': 'application/json' });
      response.end(JSON.stringify(document));
    },
  });

/** An SDK that is given `http://localhost:4566` puts a bucket before the name (virtual-hosted style). */
const isBucketName = (name: string): boolean => name.endsWith('.localhost');

/**
 * The signature of a presigned GetCallerIdentity covers the host name of STS, so clients send that name. A client in a network namespace of
 * its own calls Parameter Store by its usual name. A foreign page cannot: its DNS name is another.
 */
const isServiceName = (name: string): boolean => /^(?:sts|ssm)(?:\.[a-z0-9-]+)?\.amazonaws\.com$/.test(name);

async function answer(
  request: IncomingMessage,
  response: ServerResponse,
  front: Pick<AwsFront, 'handle'>,
): Promise<void> {
  const body = await readBody(request, maximumBodyBytes);
  if (body === undefined) {
    response.writeHead(413, { 'content-type': 'text/plain', connection: 'close' });
    response.end(`A request to AWS is at most ${maximumBodyBytes} bytes here.`);
    return;
  }
  const result = await front.handle(toAwsRequest(request, body));
  response.writeHead(result.statusCode, {
    'content-length': Buffer.byteLength(result.body),
    // The answer to a HEAD says the length of what it does not carry.
    ...result.headers,
  });
  response.end(result.body);
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
