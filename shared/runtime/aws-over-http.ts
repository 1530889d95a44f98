import type { AwsHttpRequest, AwsHttpResponse, AwsRequestHandler } from '../aws/request-handler.ts';
import type { HttpRequest, SendHttp } from '../net/http.ts';

const usualTimeoutMilliseconds = 10_000;

/**
 * Carries requests to AWS over HTTP. Two attempts at most: one more, at once, where the connection broke or the server
 * failed; everything longer, throttling too, is the pass's to wait for.
 */
export function awsOverHttp(sendHttp: SendHttp): AwsRequestHandler {
  return {
    handle: async (request) => {
      const first = await attempt(sendHttp, request);
      if (first instanceof Error || first.statusCode >= 500)
        return { response: answerOr(await attempt(sendHttp, request)) };
      return { response: first };
    },
  };
}

function answerOr(outcome: AwsHttpResponse | Error): AwsHttpResponse {
  if (outcome instanceof Error) throw outcome;
  return outcome;
}

/** The answer, or the error where the connection broke; rejects with whatever else was wrong. */
async function attempt(sendHttp: SendHttp, request: AwsHttpRequest): Promise<AwsHttpResponse | Error> {
  try {
    const { status, headers, body, bytes } = await sendHttp(toHttp(request));
    return { statusCode: status, headers, body: bytes ?? body };
  } catch (error) {
    if (error instanceof Error && 'code' in error && brokenConnections.has(error.code)) return error;
    throw error;
  }
}

const brokenConnections: ReadonlySet<unknown> = new Set(['ECONNRESET', 'EPIPE', 'ECONNREFUSED', 'ETIMEDOUT']);

function toHttp({
  method,
  protocol,
  hostname,
  port,
  path,
  query,
  headers,
  body,
  bytes,
  answerIn,
  timeoutMilliseconds = usualTimeoutMilliseconds,
}: AwsHttpRequest): HttpRequest {
  const { host: _, ...rest } = headers;
  // As it is signed: `+` is a plus sign to AWS.
  const search = new URLSearchParams(query).toString().replaceAll('+', '%20');
  return {
    method: method as HttpRequest['method'],
    url: `${protocol}//${hostname}${port === undefined ? '' : `:${port}`}${path}${search && `?${search}`}`,
    headers: rest,
    ...(body && { body }),
    ...(bytes && { bytes }),
    ...(answerIn && { answerIn }),
    timeoutMilliseconds,
  };
}
