import * as z from 'zod/mini';
import { describeIssues } from '../base/issues.ts';
import { lazily } from '../base/lazily.ts';
import { ProblemError } from './problem.ts';

/** A request as the routes see it. */
export interface HttpCall {
  readonly method: string;
  /** Decoded, without the stage. */
  readonly path: string;
  /** The prefix of `path` in a link: the stage, unless it is the default one. */
  readonly basePath: string;
  readonly query: URLSearchParams;
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  /** The caller that signed the request, if IAM authorised it. */
  readonly callerArn?: string;
}

/** What API Gateway expects of a function (HTTP API, payload format 2.0). */
export interface HttpResult {
  readonly statusCode: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

const eventSchema = lazily(() =>
  z.object({
    version: z.literal('2.0'),
    rawPath: z.string(),
    rawQueryString: z.optional(z.string()),
    headers: z.optional(z.record(z.string(), z.string())),
    requestContext: z.object({
      stage: z.optional(z.string()),
      http: z.object({ method: z.string() }),
      authorizer: z.optional(z.object({ iam: z.optional(z.object({ userArn: z.optional(z.string()) })) })),
    }),
    body: z.optional(z.string()),
    isBase64Encoded: z.optional(z.boolean()),
  }),
);

/**
 * Reads what an HTTP API of API Gateway sends (API Gateway developer guide, "AWS Lambda proxy integrations for HTTP APIs"). The path
 * arrives decoded. Decoding it again would let `%2541` name the group of `%41`.
 *
 * @throws ProblemError with status 400 for anything that is not of payload format 2.0.
 */
export function readHttpCall(event: unknown): HttpCall {
  const parsed = z.safeParse(eventSchema(), event);
  if (!parsed.success)
    throw new ProblemError({
      code: 'malformed-request',
      detail: `this is not a request of an HTTP API in payload format 2.0: ${describeIssues(parsed.error)}`,
    });
  const { rawPath, rawQueryString, headers = {}, requestContext, body = '', isBase64Encoded } = parsed.data;
  const { stage = '$default' } = requestContext;
  const callerArn = requestContext.authorizer?.iam?.userArn;
  const basePath = stage === '$default' ? '' : `/${stage}`;
  return {
    method: requestContext.http.method,
    path: rawPath.startsWith(`${basePath}/`) ? rawPath.slice(basePath.length) : rawPath,
    basePath,
    query: new URLSearchParams(rawQueryString),
    headers: Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value])),
    body: isBase64Encoded ? Buffer.from(body, 'base64').toString('utf8') : body,
    callerArn,
  };
}
