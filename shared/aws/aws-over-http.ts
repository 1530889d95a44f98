import { buildQueryString } from '@smithy/core/protocols';
import type { HttpRequest, SendHttp } from '../net/http.ts';
import type { AwsHttpRequest, AwsRequestHandler } from './connection.ts';

/** Without a byte for so long, an attempt has failed. Three of them fit into an invocation. */
const usualSilenceMilliseconds = 5000;

/** Long enough for a part of an upload over a slow line. An answer that drips a byte a second ends here. */
const usualLongestMilliseconds = 180_000;

/** As many as a batch has subjects: where AWS does not answer the call of one, the others do not wait for a connection. */
const concurrency = 10;

/** Carries the requests of the SDK over HTTP, each once: the SDK retries. */
export const awsOverHttp = (sendHttp: SendHttp): AwsRequestHandler => ({
  handle: async (request, options = {}) => {
    const { status, headers, bytes } = await sendHttp({
      ...toHttp(request),
      timeoutMilliseconds: options.requestTimeout ?? usualSilenceMilliseconds,
      longestMilliseconds: options.longestMilliseconds ?? usualLongestMilliseconds,
      ...(options.longestAnswerBytes !== undefined && { longestAnswerBytes: options.longestAnswerBytes }),
      concurrency,
    });
    return { response: { statusCode: status, headers: { ...headers }, body: bytes } };
  },
});

/** The same limit for a handler that has none of its own, as in the simulation, in which it passes in simulated time. */
export const withUsualTimeout = (handler: AwsRequestHandler): AwsRequestHandler => ({
  ...handler,
  handle: (request, options) =>
    handler.handle(request, { requestTimeout: usualSilenceMilliseconds, ...options }),
});

function toHttp({
  method,
  protocol,
  hostname,
  port,
  path,
  query,
  headers,
  body,
}: AwsHttpRequest): Omit<HttpRequest, 'timeoutMilliseconds' | 'concurrency'> {
  const search = buildQueryString({ ...query });
  return {
    method: method as HttpRequest['method'],
    url: `${protocol}//${hostname}${port === undefined ? '' : `:${port}`}${path}${search && `?${search}`}`,
    headers: withoutOwnHost({ hostname, port, headers }),
    ...bodyOf(body),
    answerIn: 'bytes',
    timeoutOf: 'silence',
  };
}

/** A host that is not the server's own was signed for another: a presigned request by way of a proxy. */
function withoutOwnHost({
  hostname,
  port,
  headers,
}: Pick<AwsHttpRequest, 'hostname' | 'port' | 'headers'>): Readonly<Record<string, string>> {
  const { host, ...others } = headers;
  const isOwn = host === undefined || [hostname, `${hostname}:${port}`].includes(host);
  return isOwn ? others : headers;
}

function bodyOf(body: AwsHttpRequest['body']): Pick<HttpRequest, 'body' | 'bytes'> {
  if (!body) return {};
  return typeof body === 'string' ? { body } : { bytes: body };
}
