import { clusterHeader, type PresignedToken } from '../identity/read-token.ts';
import type { HttpResponse, SendHttp } from '../net/http.ts';

export interface AskStsOptions {
  readonly sendHttp: SendHttp;
  /** Goes into the signed header: a token for another cluster has another signature. */
  readonly clusterId: string;
  /** Asked in place of the token's host, for tests and proxies: `https://127.0.0.1:4443`. */
  readonly endpoint?: string;
}

/** The API server waits 30 s for a webhook, and asks again. */
const timeoutMilliseconds = 10_000;
/** An identity is some hundred bytes. */
const longestAnswerBytes = 16_384;

/** Sends the presigned request of a token to STS, as its host in the token says. A redirect is an answer like any other. */
export const createAskSts =
  ({ sendHttp, clusterId, endpoint }: AskStsOptions) =>
  async ({ url, host }: PresignedToken): Promise<HttpResponse> =>
    await sendHttp({
      method: 'GET',
      url: endpoint === undefined ? url : `${endpoint}${url.slice(`https://${host}`.length)}`,
      headers: { host, [clusterHeader]: clusterId, accept: 'application/json' },
      timeoutMilliseconds,
      longestAnswerBytes,
    });
