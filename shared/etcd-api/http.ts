import type { IncomingMessage } from 'node:http';
import { request as httpsRequest } from 'node:https';

/** Our client certificate and key, and the authority that we trust; all PEM. The key opens every Secret of a cluster, so it is never logged. */
export interface EtcdCredentials {
  readonly certificateAuthority: string;
  readonly clientCertificate: string;
  readonly clientKey: string;
}

/** One exchange with a member's client port. */
export interface GatewayRequest {
  readonly method: 'GET' | 'POST';
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string;
  readonly timeoutMilliseconds: number;
  readonly tls: EtcdCredentials & { readonly serverName: string };
}

interface GatewayResponse {
  readonly status: number;
  readonly body: string;
}

/** Sends a request. Rejects if no answer arrives in time; the error has Node's code if there is one. */
export type SendGateway = (request: GatewayRequest) => Promise<GatewayResponse>;

interface StreamedResponse {
  readonly status: number;
  /** Throws if the connection breaks or no data arrives for too long. */
  readonly chunks: AsyncIterable<Uint8Array>;
}

/** As SendGateway, for answers that are too long to hold in memory. The timeout limits the time without data, not the total time. */
export type StreamGateway = (request: GatewayRequest) => Promise<StreamedResponse>;

/** Streams over its own connection, which closes when the caller stops reading. */
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
