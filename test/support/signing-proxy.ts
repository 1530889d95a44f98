import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse, request as send } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { pipeline } from 'node:stream/promises';
import { Sha256 } from '@smithy/core/checksum';
import { HttpRequest } from '@smithy/core/transport';
import { SignatureV4 } from '@smithy/signature-v4';

export interface SigningProxyOptions {
  /** Where requests go. */
  readonly target: string;
  readonly region: string;
  readonly credentials: { readonly accessKeyId: string; readonly secretAccessKey: string };
}

/** Headers of one connection, which are not those of the next. */
const hopByHop = new Set([
  'authorization',
  'connection',
  'host',
  'content-length',
  'transfer-encoding',
  'keep-alive',
]);

/**
 * A server on loopback that signs each request with an Authorization header for API Gateway (Signature Version 4, service `execute-api`)
 * and sends it on, for programs that cannot sign; one without that header goes on as it is. Ends with its process, or by `close`.
 */
export async function startSigningProxy({ target, region, credentials }: SigningProxyOptions) {
  const signer = new SignatureV4({ service: 'execute-api', region, credentials, sha256: Sha256 });
  const sent = { count: 0 };
  const forward = async (request: IncomingMessage): Promise<IncomingMessage> => {
    const url = new URL(request.url ?? '/', target);
    const body = await buffer(request);
    const given = Object.entries(request.headers).filter(([name]) => !hopByHop.has(name));
    const query = new Map<string, string[]>();
    for (const [name, value] of url.searchParams) query.set(name, [...(query.get(name) ?? []), value]);
    const { method = 'GET' } = request;
    const signable = new HttpRequest({
      method,
      protocol: url.protocol,
      hostname: url.hostname,
      path: url.pathname,
      query: Object.fromEntries(query),
      headers: { ...Object.fromEntries(given.map(([name, value]) => [name, String(value)])), host: url.host },
      body,
    });
    const { headers } = request.headers.authorization === undefined ? signable : await signer.sign(signable);
    sent.count += 1;
    const outgoing = send(url, { method, headers: { ...headers, 'content-length': body.length } });
    outgoing.end(body);
    const [answer] = (await once(outgoing, 'response')) as [IncomingMessage];
    return answer;
  };
  const answer = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    try {
      const received = await forward(request);
      response.writeHead(received.statusCode ?? 502, received.headers);
      await pipeline(received, response);
    } catch (error) {
      if (!response.headersSent) response.writeHead(502, { 'content-type': 'text/plain' });
      response.end(String(error));
    }
  };
  const server = createServer({ maxHeaderSize: 1_000_000 }, (request, response) => {
    void answer(request, response);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    /** How many requests it has sent on. */
    sentCount: () => sent.count,
    close: () => {
      server.closeAllConnections();
      server.close();
    },
  };
}
