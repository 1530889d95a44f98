import { parseJson } from '../base/parse-json.ts';
import { withoutSecrets } from '../base/redact.ts';
import type { HttpRequest, HttpResponse, SendHttp } from '../net/http.ts';
import type { ClusterConnection, ConnectionSource } from './connection.ts';
import { createEarlyRefusals, refusalPauseMilliseconds } from './early-refusals.ts';
import { errorOf, KubernetesError } from './status.ts';

export interface ApiRequest {
  readonly method: HttpRequest['method'];
  /** Below the server's address, segments encoded: see `pathOf`. */
  readonly path: string;
  readonly query?: Readonly<Record<string, string>>;
  readonly body?: object;
  readonly contentType?: string;
  readonly accept?: string;
  /** Defaults to the timeout of all requests. */
  readonly timeoutMilliseconds?: number;
  /** The first refusal counts: a deadline has come, and something waits for the answer. */
  readonly isUrgent?: true;
  /** Defaults to the limit for one object. */
  readonly longestAnswerBytes?: number;
}

/** Sends requests to one API server with current credentials. */
export interface Api {
  /**
   * Resolves with any answer but 401. After a 401 it tries once more with fresh credentials, and after the first refusal of a right once
   * more after a pause.
   */
  exchange(request: ApiRequest): Promise<HttpResponse>;
  /** Resolves with the JSON of a 2xx answer; rejects for any other. */
  call(request: ApiRequest): Promise<unknown>;
}

export interface ApiOptions {
  readonly connections: ConnectionSource;
  readonly sendHttp: SendHttp;
  readonly timeoutMilliseconds?: number;
  /** Waits before a refused right is asked about again; without it, the first refusal counts. */
  readonly pause?: (milliseconds: number) => Promise<void>;
}

/** Long enough to list thousands of Nodes, short enough for a pass. */
const defaultTimeoutMilliseconds = 20_000;

/** An object is at most as large as a request to etcd may be, 1.5 MiB. */
const longestObjectBytes = 8 * 1024 * 1024;

/** Of one object. A pass must have time to go on, and to complete a hook, where writes get no answer. */
export const writeTimeoutMilliseconds = 8000;

/** Both methods reject with a KubernetesError that names the request and a remedy. */
export function createApi({ connections, sendHttp, timeoutMilliseconds, pause }: ApiOptions): Api {
  const refusals = createEarlyRefusals();
  const once = async (request: ApiRequest): Promise<HttpResponse> => {
    const connection = await connections.connect();
    const http = toHttp(
      request,
      connection,
      request.timeoutMilliseconds ?? timeoutMilliseconds ?? defaultTimeoutMilliseconds,
    );
    try {
      const response = withoutEcho(await sendHttp(http), connection);
      if (response.status >= 500) refusals.forget();
      return response;
    } catch (cause) {
      refusals.forget();
      const server = new URL(connection.server).host;
      throw new KubernetesError('unreachable', `${nameOf(request)}: no answer from ${server}`, { cause });
    }
  };
  const exchange = async (request: ApiRequest): Promise<HttpResponse> => {
    const answer = await authenticated(request);
    if (!pause || request.isUrgent || !refusals.isNew(answer)) return answer;
    await pause(refusalPauseMilliseconds);
    const again = await authenticated(request);
    refusals.settle(again);
    return again;
  };
  const authenticated = async (request: ApiRequest): Promise<HttpResponse> => {
    const first = await once(request);
    if (first.status !== 401) return first;
    connections.invalidate();
    const second = await once(request);
    if (second.status === 401) throw errorOf(nameOf(request), second);
    return second;
  };
  const call = async (request: ApiRequest): Promise<unknown> => {
    const response = await exchange(request);
    if (!isSuccess(response)) throw errorOf(nameOf(request), response);
    const body = parseJson(response.body);
    if (body === undefined)
      throw new KubernetesError('unexpected', `${nameOf(request)} answered something that is not JSON`);
    return body;
  };
  return { exchange, call };
}

/** API servers and proxies quote requests in their refusals, which end in logs, Events and annotations. */
const withoutEcho = (response: HttpResponse, { bearerToken }: ClusterConnection): HttpResponse =>
  isSuccess(response) ? response : { ...response, body: withoutSecrets(response.body, [bearerToken]) };

export const isSuccess = ({ status }: HttpResponse): boolean => status >= 200 && status < 300;

export const nameOf = ({ method, path }: ApiRequest): string => `${method} ${path}`;

/** Joins path segments, each encoded, so that a name can never reach another resource. */
export const pathOf = (...segments: readonly string[]): string =>
  segments.map((segment) => `/${encodeURIComponent(segment)}`).join('');

function toHttp(
  request: ApiRequest,
  { server, tls, bearerToken }: ClusterConnection,
  timeoutMilliseconds: number,
): HttpRequest {
  const query = new URLSearchParams(request.query).toString();
  return {
    method: request.method,
    url: `${server}${request.path}${query && `?${query}`}`,
    headers: {
      accept: request.accept ?? 'application/json',
      'user-agent': 'drover',
      ...(request.body && { 'content-type': request.contentType ?? 'application/json' }),
      ...(bearerToken !== undefined && { authorization: `Bearer ${bearerToken}` }),
    },
    ...(request.body && { body: JSON.stringify(request.body) }),
    timeoutMilliseconds,
    longestAnswerBytes: request.longestAnswerBytes ?? longestObjectBytes,
    tls,
  };
}
