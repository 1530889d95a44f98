import type { IncomingMessage, ServerResponse } from 'node:http';
import { gatewayAnswer } from '../lambda/http-api/answer.ts';
import type { HttpApiRequest, HttpApiResponse } from '../lambda/http-api/http.ts';
import type { HttpApi } from '../lambda/http-api/http-api.ts';
import { readBody } from './read-body.ts';

/** API Gateway: "Payload size 10 MB" (quotas of HTTP APIs). */
const maximumBodyBytes = 10 * 1024 * 1024;

/** Answers a request of the wire as the HTTP API does. */
export async function answerHttpApi(
  request: IncomingMessage,
  response: ServerResponse,
  api: HttpApi,
): Promise<void> {
  const body = await readBody(request, maximumBodyBytes);
  const answer = body
    ? await api.handle(toRequest(request, body))
    : gatewayAnswer(413, 'Request Entity Too Large');
  write(response, answer);
}

function toRequest(request: IncomingMessage, body: Uint8Array): HttpApiRequest {
  const [path = '/', ...query] = (request.url ?? '/').split('?');
  const headers = Object.entries(request.headers).map(([name, value]) => [name, String(value)] as const);
  return {
    method: request.method ?? 'GET',
    path,
    rawQueryString: query.join('?'),
    headers: Object.fromEntries(headers),
    body,
    sourceIp: request.socket.remoteAddress ?? '127.0.0.1',
  };
}

function write(response: ServerResponse, { status, headers, cookies, body }: HttpApiResponse): void {
  response.writeHead(status, {
    ...headers,
    ...(cookies.length > 0 && { 'set-cookie': [...cookies] }),
    'content-length': body.length,
  });
  response.end(body);
}
