import * as http from 'node:http';
import * as https from 'node:https';
import { text } from 'node:stream/consumers';
import type { StreamGateway } from '../src/etcd/gateway-request.ts';
import type { HttpRequest, SendHttp } from '../src/net/http.ts';

type Exchange = Pick<HttpRequest, 'method' | 'url' | 'headers' | 'body' | 'timeoutMilliseconds' | 'tls'>;

/** Sends a request over a socket that stays open for the next with the same certificates. The answer is text. */
export const sendHttps: SendHttp = async (request) => {
  const response = await respond(request, agentFor(request));
  const headers = Object.entries(response.headers).map(([name, value]) => [name, String(value ?? '')]);
  return {
    status: response.statusCode ?? 0,
    headers: Object.fromEntries(headers),
    body: await text(response),
  };
};

/** Sends a request over a socket of its own, for answers that are too long to hold. */
export const streamHttps: StreamGateway = async (request) => {
  const response = await respond(request, false);
  return { status: response.statusCode ?? 0, chunks: response };
};

function respond(request: Exchange, agent: http.Agent | false): Promise<http.IncomingMessage> {
  const { method, url, headers, body, timeoutMilliseconds, tls = {} } = request;
  const length = body === undefined ? {} : { 'content-length': String(Buffer.byteLength(body)) };
  const silence = new TimeoutError(`nothing came for ${timeoutMilliseconds} ms`);
  return new Promise((resolve, reject) => {
    const sent = (url.startsWith('https:') ? https : http).request(url, {
      method,
      headers: { ...headers, ...length },
      agent,
      timeout: timeoutMilliseconds,
      ca: tls.certificateAuthority,
      cert: tls.clientCertificate,
      key: tls.clientKey,
      servername: tls.serverName,
      rejectUnauthorized: tls.insecureSkipVerify !== true,
    });
    sent.on('timeout', () => sent.destroy(silence));
    // A server that was restarted has closed the sockets that were kept: the request goes out once more, on a new one.
    sent.on('error', (error: NodeJS.ErrnoException) => {
      if (sent.reusedSocket && error.code === 'ECONNRESET') resolve(respond(request, false));
      else reject(error);
    });
    sent.on('response', (response) => {
      // By itself the response would only say that it was aborted.
      sent.on('timeout', () => response.destroy(silence));
      resolve(response);
    });
    sent.end(body);
  });
}

/** Whether the server is away, or too busy to answer: who waits for it asks again. Pure. */
export const isAway = (error: unknown): boolean =>
  error instanceof Error && ('code' in error || error.name === 'TimeoutError');

class TimeoutError extends Error {
  override readonly name = 'TimeoutError';
}

const agents = new Map<string, http.Agent>();

function agentFor({ url, tls }: Exchange): http.Agent {
  const key = JSON.stringify([new URL(url).origin, tls]);
  const known = agents.get(key) ?? new (url.startsWith('https:') ? https : http).Agent({ keepAlive: true });
  agents.set(key, known);
  return known;
}
