import * as z from 'zod/mini';
import { describeIssues, wordsOf } from '../base/issues.ts';
import { lazily } from '../base/lazily.ts';
import { type FieldProblem, ProblemError } from './problem.ts';

/** An HTTP request, read from the event of API Gateway. */
export interface HttpCall {
  readonly method: string;
  /** Decoded, without the stage. */
  readonly path: string;
  /** The prefix of `path` in links: the stage, or empty for the default stage. */
  readonly basePath: string;
  readonly query: URLSearchParams;
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  /** The caller that signed the request, if IAM authorised it. */
  readonly callerArn?: string;
}

/** The response that API Gateway expects of a function (HTTP API, payload format 2.0). */
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
 * Reads the event of an HTTP API of API Gateway (API Gateway developer guide, "AWS Lambda proxy integrations for HTTP APIs"). The path
 * is already decoded. Decoding it again would let `%2541` name the group of `%41`.
 *
 * @throws ProblemError with status 400 if the event does not have payload format 2.0.
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

/** More than any request of this API needs. */
const maximumBodyBytes = 16_384;

/**
 * Reads the body with a schema.
 *
 * @throws ProblemError: 413 if it exceeds 16 KiB, 415 for another media type, 400 if it is not JSON, 422 with every wrong field.
 */
export function readBody<Schema extends z.ZodMiniType>(call: HttpCall, schema: Schema): z.infer<Schema> {
  if (Buffer.byteLength(call.body) > maximumBodyBytes)
    throw new ProblemError({
      code: 'body-too-large',
      detail: `the body may have at most ${maximumBodyBytes} bytes`,
    });
  const mediaType = call.headers['content-type'] ?? 'application/json';
  if (!/^application\/(?:[\w.-]+\+)?json\s*(?:;|$)/i.test(mediaType))
    throw new ProblemError({ code: 'unsupported-media-type', detail: 'send it as application/json' });
  const parsed = z.safeParse(schema, parseJson(call.body));
  if (parsed.success) return parsed.data;
  throw new ProblemError({
    code: 'invalid-body',
    detail: 'errors lists every wrong field',
    errors: fieldProblems(parsed.error, (path) => ({ pointer: pointerOf(path) })),
  });
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (cause) {
    throw new ProblemError({ code: 'malformed-request', detail: 'the body is not JSON', cause });
  }
}

/**
 * Reads the query with a strict schema: a misspelt `dryRun` must not make a real change.
 *
 * @throws ProblemError with status 400 and every parameter that is wrong, unknown or repeated.
 */
export function readQuery<Schema extends z.ZodMiniType>(call: HttpCall, schema: Schema): z.infer<Schema> {
  const names = [...call.query.keys()];
  const repeated = names.filter((name, index) => names.indexOf(name) !== index);
  const parsed = z.safeParse(schema, Object.fromEntries(call.query));
  const errors = [
    ...repeated.map((parameter) => ({ parameter, detail: 'is given more than once' })),
    ...(parsed.success ? [] : fieldProblems(parsed.error, (path) => ({ parameter: path.join('.') }))),
  ];
  if (parsed.success && errors.length === 0) return parsed.data;
  throw new ProblemError({
    code: 'invalid-parameter',
    detail: 'errors lists every wrong parameter',
    errors,
  });
}

type Place = Pick<FieldProblem, 'pointer' | 'parameter'>;

/** Shortens names that the caller chose, and shows no values. */
function fieldProblems(error: z.core.$ZodError, place: (path: readonly string[]) => Place): FieldProblem[] {
  return error.issues.flatMap((issue) => {
    const path = issue.path.map(String);
    if (issue.code === 'unrecognized_keys')
      return issue.keys.map((key) => ({
        ...place([...path, key.slice(0, 64)]),
        detail: 'is unknown',
      }));
    return [{ ...place(path), detail: wordsOf(issue) }];
  });
}

/** A JSON pointer as a URI fragment, as in the example of RFC 9457. */
const pointerOf = (path: readonly string[]): string =>
  `#${path.map((part) => `/${part.replaceAll('~', '~0').replaceAll('/', '~1')}`).join('')}`;

/** A response with a JSON body. `no-store`: a cached response would show an old state. */
export const json = (
  statusCode: number,
  body: object,
  headers: Readonly<Record<string, string>> = {},
): HttpResult => ({
  statusCode,
  headers: { 'content-type': 'application/json', 'cache-control': 'no-store', ...headers },
  body: JSON.stringify(body),
});

/** A response without a body. */
export const noContent = (): HttpResult => ({
  statusCode: 204,
  headers: { 'cache-control': 'no-store' },
  body: '',
});
