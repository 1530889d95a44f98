import { HttpResponse } from '@smithy/core/transport';
import type { AwsHttpRequest, AwsHttpResponse } from '../codec/http.ts';
import { AwsError } from '../service.ts';
import type { CallDescription } from './describe-call.ts';
import type { AwsFront } from './front.ts';
import type { AwsRequestHandler, SdkRequest } from './request-handler.ts';

/**
 * The fault of a call. The connection breaks before AWS gets the request, or after AWS executed it and before the answer; AWS
 * answers an error; or no answer ever comes. Undefined if there is no fault.
 */
export type Fault = 'fail-before' | 'fail-after' | 'never-answer' | AwsError | undefined;

export interface InProcessOptions {
  readonly front: AwsFront;
  /** Asked once for every attempt, retries of the SDK included. */
  readonly onCall?: ((call: CallDescription) => Fault) | undefined;
}

/**
 * A request handler for AWS SDK clients that speaks to the front without a socket. No retry, time-out or keep-alive of
 * its own: an aborted request rejects, everything else is as the front and the fault say.
 */
export function createInProcessHandler({ front, onCall }: InProcessOptions): AwsRequestHandler {
  return requestHandlerOf(async (plain, { signal }) => {
    const call = onCall === undefined ? undefined : front.describe(plain);
    const fault = call === undefined ? undefined : onCall?.(call);
    if (fault === 'fail-before') throw connectionReset();
    if (fault === 'never-answer') return await neverAnswers(signal);
    if (fault instanceof AwsError) return front.refuse(plain, fault);
    const response = await front.handle(plain);
    if (fault === 'fail-after') throw connectionReset();
    return response;
  });
}

/** How long the caller of a client waits for an answer. */
export interface CallLimits {
  readonly signal: AbortSignal | undefined;
  readonly timeoutMilliseconds: number | undefined;
}

/** A request handler for AWS SDK clients over a function that answers plain requests. */
export function requestHandlerOf(
  send: (request: AwsHttpRequest, limits: CallLimits) => Promise<AwsHttpResponse>,
): AwsRequestHandler {
  return {
    handle: async (request, { abortSignal, requestTimeout } = {}) => {
      const signal = abortSignal instanceof AbortSignal ? abortSignal : undefined;
      signal?.throwIfAborted();
      const limits = { signal, timeoutMilliseconds: requestTimeout };
      return { response: toSdkResponse(await send(toAwsRequest(request), limits)) };
    },
    // What clients of the AWS SDK ask of a handler besides.
    metadata: { handlerProtocol: 'http/1.1' },
    updateHttpClientConfig: () => undefined,
    httpHandlerConfigs: () => ({}),
    destroy: () => undefined,
  };
}

/** An error as node:http raises it; the SDK takes it for transient. */
const connectionReset = (): Error => Object.assign(new Error('socket hang up'), { code: 'ECONNRESET' });

const neverAnswers = (signal: AbortSignal | undefined): Promise<never> =>
  new Promise((_, reject) => {
    const abort = (): void =>
      reject(Object.assign(new Error('Request aborted', { cause: signal?.reason }), { name: 'AbortError' }));
    signal?.addEventListener('abort', abort, { once: true });
  });

function toAwsRequest(request: SdkRequest): AwsHttpRequest {
  const headers = Object.fromEntries(
    Object.entries(request.headers).map(([name, value]) => [name.toLowerCase(), value]),
  );
  const query = Object.entries(request.query ?? {}).flatMap(([name, value]) =>
    (Array.isArray(value) ? value : [value ?? '']).map((one) => [name, one] as const),
  );
  return {
    method: request.method,
    path: request.path,
    query,
    headers,
    body: bytesOf(request.bytes ?? request.body),
  };
}

function bytesOf(body: unknown): Uint8Array {
  if (body === undefined || body === null) return new Uint8Array();
  if (body instanceof Uint8Array) return Buffer.from(body.buffer, body.byteOffset, body.byteLength);
  if (typeof body === 'string') return Buffer.from(body);
  throw new TypeError('the body of a request in process is bytes or text');
}

const toSdkResponse = (response: AwsHttpResponse): HttpResponse =>
  new HttpResponse({ ...response, headers: { ...response.headers }, body: Buffer.from(response.body) });
