import type { HttpRequest, SendHttp } from '../../net/http.ts';

/** As the platform's `fetch`, for paths of one API server. A watch cannot be had this way. */
export type Fetch = (path: string, init?: RequestInit) => Promise<Response>;

const statusesWithoutBody: ReadonlySet<number> = new Set([204, 205, 304]);

/** Sends with a bearer token, unless the request has credentials of its own. */
export function createFetch(send: SendHttp, token: string): Fetch {
  return async (path, init) => {
    const request = new Request(new URL(path, 'https://kubernetes.sandbox'), init);
    const body = await request.text();
    const answer = await send({
      method: request.method as HttpRequest['method'],
      url: request.url,
      headers: { authorization: `Bearer ${token}`, ...Object.fromEntries(request.headers) },
      ...(body !== '' && { body }),
      timeoutMilliseconds: 30_000,
    });
    const { status, headers } = answer;
    return new Response(statusesWithoutBody.has(status) ? null : answer.body, { status, headers });
  };
}
