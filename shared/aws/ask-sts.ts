import { Readable } from 'node:stream';
import { partition } from '@aws-sdk/core/client';
import type { Trace } from '../base/trace.ts';
import { clusterHeader, type PresignedToken } from '../identity/read-token.ts';
import type { AwsRequestHandler } from './connection.ts';
import { recorded } from './traced.ts';

export interface AskStsOptions {
  readonly requestHandler: AwsRequestHandler;
  /** Undefined if calls are not recorded. */
  readonly trace?: Trace | undefined;
  /** Goes into the signed header: a token for another cluster has another signature. */
  readonly clusterId: string;
  /** Asked instead of the token's host, for tests and proxies: `https://127.0.0.1:4443`. */
  readonly endpoint?: string | undefined;
}

/** The API server waits 30 s for a webhook, and asks again. */
const longestMilliseconds = 10_000;
/** An identity is some hundred bytes. */
const longestAnswerBytes = 16_384;

const call = { name: 'STS', namespace: 'aws', operation: 'GetCallerIdentity' } as const;

/** Sends the presigned request of a token to STS, as its host in the token says. A redirect is an answer like any other. */
export const createAskSts =
  ({ requestHandler, clusterId, endpoint, trace }: AskStsOptions) =>
  async ({ host, query }: PresignedToken): Promise<{ readonly status: number; readonly body: string }> => {
    const { protocol, hostname, port } = new URL(endpoint ?? `https://${host}`);
    const ask = () =>
      requestHandler.handle(
        {
          method: 'GET',
          protocol,
          hostname,
          ...(port !== '' && { port: Number(port) }),
          path: '/',
          query,
          headers: { host, [clusterHeader]: clusterId, accept: 'application/json' },
        },
        { requestTimeout: longestMilliseconds, longestMilliseconds, longestAnswerBytes },
      );
    const { response } = trace ? await recorded(trace, call, ask) : await ask();
    const { statusCode: status, body = '' } = response;
    if (body instanceof Readable) throw new TypeError('the handler of requests reads answers whole');
    return { status, body: Buffer.from(body).toString('utf8') };
  };

/** The partition of a region: `aws` for `eu-west-1`. */
export const partitionOf = (region: string): string => partition(region).name;
