import type * as z from 'zod/mini';
import { type CallerRole, mayActAs } from './caller-roles.ts';
import { type HttpCall, type HttpResult, readBody, readQuery } from './http-call.ts';
import { type ProblemCode, ProblemError } from './problem.ts';
import type { answerSchemas } from './schemas/answers/all.ts';
import { noQuery } from './schemas/requests.ts';

type PathParameters = Readonly<Record<string, string>>;
type NamesIn<Path extends string> = Path extends `${string}{${infer Name}}${infer Rest}`
  ? Name | NamesIn<Rest>
  : never;

/** A schema that is made when it is first used. */
export type LazySchema = () => z.ZodMiniType;

/** A request whose query and body match the schemas of its route. */
export interface RouteRequest<
  Names extends string = never,
  Query extends LazySchema = LazySchema,
  Body extends LazySchema = LazySchema,
> {
  readonly call: HttpCall;
  /** The parameters of the path, decoded. */
  readonly path: Readonly<Record<Names, string>>;
  readonly query: z.infer<ReturnType<Query>>;
  readonly body: z.infer<ReturnType<Body>>;
}

/** A successful answer, for the OpenAPI document. */
export interface DescribedAnswer {
  readonly description: string;
  /** The name of the schema of its body in `schemas/answers`. Only a name, because the function must not load these schemas. */
  readonly schema?: keyof typeof answerSchemas;
  readonly headers?: readonly ('ETag' | 'Location' | 'Retry-After')[];
}

interface RouteDescription {
  readonly method: 'GET' | 'PUT' | 'PATCH' | 'DELETE';
  /** As in OpenAPI: `/groups/{group}`. */
  readonly path: string;
  /** The least role that a caller needs. */
  readonly role: CallerRole;
  readonly summary: string;
  /** Defaults to a schema that refuses every parameter. */
  readonly query?: LazySchema;
  /** The headers that are read, for the OpenAPI document. */
  readonly header?: LazySchema;
  readonly body?: LazySchema;
  readonly answers: Readonly<Partial<Record<200 | 201 | 202 | 204, DescribedAnswer>>>;
  /** The problems of this route beyond those of every request and of every body. */
  readonly problems?: readonly ProblemCode[];
}

/** One operation: the router answers requests with it, and the OpenAPI document describes it. */
export interface Route<Context> extends RouteDescription {
  /** @throws ProblemError if the query or the body is not valid, or the operation is refused. */
  readonly answer: (context: Context, call: HttpCall, path: PathParameters) => Promise<HttpResult>;
}

/** Defines a route. `answer` gets the query and the body as their schemas return them. */
export const route = <
  Context,
  Path extends string,
  Query extends LazySchema = LazySchema,
  Body extends LazySchema = LazySchema,
>({
  answer,
  ...description
}: RouteDescription & {
  readonly path: Path;
  readonly query?: Query;
  readonly body?: Body;
  readonly answer: (
    context: Context,
    request: RouteRequest<NamesIn<Path>, Query, Body>,
  ) => Promise<HttpResult>;
}): Route<Context> => ({
  ...description,
  answer: async (context, call, path) => {
    refuseIdempotencyKey(call, description);
    const query = readQuery(call, (description.query ?? noQuery)());
    const body = description.body && readBody(call, description.body());
    return await answer(context, { call, path, query, body } as RouteRequest<NamesIn<Path>, Query, Body>);
  },
});

/**
 * A caller that sends Idempotency-Key expects that a repeated request has no second effect. That holds for every route without it: a header
 * that is ignored would let the caller believe that two requests with two keys are two changes.
 *
 * @throws ProblemError with status 400 and what to send instead.
 */
function refuseIdempotencyKey(
  { headers }: HttpCall,
  { method, header }: Pick<RouteDescription, 'method' | 'header'>,
): void {
  if (method === 'GET' || headers['idempotency-key'] === undefined) return;
  const instead =
    header === undefined ? 'the name in the path identifies it' : 'send If-Match with the ETag of GET';
  throw new ProblemError({
    code: 'invalid-parameter',
    detail: `Idempotency-Key is not supported. This request may be repeated without it: ${instead}`,
    errors: [{ parameter: 'Idempotency-Key', detail: 'is not supported' }],
  });
}

export interface RouterOptions<Context> {
  readonly routes: readonly Route<Context>[];
  readonly context: Context;
  /** The role of a caller; undefined if it has none. */
  readonly callerRoleOf: (call: HttpCall) => CallerRole | undefined;
}

/**
 * Finds the route of a call and answers with it. Paths arrive decoded, and the name of a group may contain slashes. So the parameter
 * `group` matches greedily, and the longest of several matching templates wins. Callers are authorised by the route that answers,
 * never by the text of the path, because one path can be written in many ways.
 *
 * @throws ProblemError: 403 for a caller without the role, 404 for an unknown path, 405 with Allow for a path that has other methods.
 */
export function createRouter<Context>({
  routes,
  context,
  callerRoleOf,
}: RouterOptions<Context>): (call: HttpCall) => Promise<HttpResult> {
  const table = routes
    .map((one) => ({ ...one, pattern: patternOf(one.path) }))
    .toSorted((one, other) => other.path.length - one.path.length);
  return async (call) => {
    const role = callerRoleOf(call);
    if (role === undefined) throw unknownCaller(call);
    const path = table.find(({ pattern }) => pattern.test(call.path))?.path;
    const allowed = table.filter((one) => one.path === path);
    const found = allowed.find(({ method }) => method === call.method);
    if (found === undefined) throw noRoute(allowed);
    if (!mayActAs(role, found.role))
      throw new ProblemError({
        code: 'forbidden',
        detail: `this needs the role ${found.role}, but the caller has the role ${role}`,
      });
    return found.answer(context, call, { ...found.pattern.exec(call.path)?.groups });
  };
}

/** Only the name of a group may contain slashes. */
const patternOf = (path: string): RegExp =>
  new RegExp(`^${path.replaceAll('{group}', '(?<group>.+)').replaceAll(/\{(\w+)\}/g, '(?<$1>[^/]+)')}$`, 's');

const unknownCaller = ({ callerArn }: HttpCall): ProblemError =>
  new ProblemError({
    code: 'forbidden',
    detail:
      callerArn === undefined
        ? 'the request has no caller that IAM authorised'
        : `the principals of this deployment do not list ${callerArn}`,
  });

function noRoute(others: readonly RouteDescription[]): ProblemError {
  if (others.length === 0)
    return new ProblemError({ code: 'not-found', detail: 'this API has no resource with that path' });
  const allow = others.map(({ method }) => method).join(', ');
  return new ProblemError({
    code: 'method-not-allowed',
    detail: `allowed: ${allow}`,
    headers: { allow },
  });
}
