import type { IncomingMessage } from 'node:http';
import { request as httpsRequest } from 'node:https';
import type { GatewayRequest, StreamGateway } from './http.ts';

/** Streams over a connection of its own, which closes when the caller stops reading. */
export const streamHttps: StreamGateway = async (request) => {
  const response = await open(request);
  return { status: response.statusCode ?? 0, chunks: response };
};

function open({
  method,
  url,
  headers,
  body,
  timeoutMilliseconds,
  tls,
}: GatewayRequest): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    const sent = httpsRequest(url, {
      method,
      headers: {
        ...headers,
        ...(body !== undefined && { 'content-length': String(Buffer.byteLength(body)) }),
      },
      agent: false,
      timeout: timeoutMilliseconds,
      ca: tls.certificateAuthority,
      cert: tls.clientCertificate,
      key: tls.clientKey,
      servername: tls.serverName,
    });
    const silence = new Error(`no data for ${timeoutMilliseconds} ms`);
    sent.on('timeout', () => sent.destroy(silence));
    sent.on('error', reject);
    sent.on('response', (response) => {
      // Otherwise the response would only report that it was aborted.
      sent.on('timeout', () => response.destroy(silence));
      resolve(response);
    });
    sent.end(body);
  });
}
