import { type CallerRole, mayActAs } from './caller-roles.ts';
import type { HttpCall, HttpResult } from './http-call.ts';
import { ProblemError } from './problem.ts';

type PathParameters = Readonly<Record<string, string>>;

/** One operation. `path` as OpenAPI writes it: `/groups/{group}`. */
export interface Route {
  readonly method: 'GET' | 'PUT' | 'PATCH' | 'DELETE';
  readonly path: string;
  /** The least role that a caller needs. */
  readonly role: CallerRole;
  readonly answer: (call: HttpCall, parameters: PathParameters) => Promise<HttpResult>;
}

/** The role of a caller; undefined for one without any. */
type CallerRoleOf = (call: HttpCall) => CallerRole | undefined;

/**
 * Finds the route of a call and answers with it. Paths arrive decoded, and the name of a group may contain slashes. So the parameter
 * `group` matches greedily, and of several matching paths the longest template wins. Callers are authorised by the route that answers,
 * never by the text of the path, which can be written in many ways.
 *
 * @throws ProblemError: 403 for a caller without the role, 404 for an unknown path, 405 with Allow for a path that takes other methods.
 */
export function createRouter(
  routes: readonly Route[],
  callerRoleOf: CallerRoleOf,
): (call: HttpCall) => Promise<HttpResult> {
  const table = routes
    .map((route) => ({ ...route, pattern: patternOf(route.path) }))
    .toSorted((one, other) => other.path.length - one.path.length);
  return async (call) => {
    const role = callerRoleOf(call);
    if (role === undefined) throw unknownCaller(call);
    const path = table.find(({ pattern }) => pattern.test(call.path))?.path;
    const allowed = table.filter((route) => route.path === path);
    const route = allowed.find(({ method }) => method === call.method);
    if (route === undefined) throw noRoute(allowed);
    if (!mayActAs(role, route.role))
      throw new ProblemError({
        code: 'forbidden',
        detail: `this needs the role ${route.role}, and the caller has the role ${role}`,
      });
    return route.answer(call, { ...route.pattern.exec(call.path)?.groups });
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

function noRoute(others: readonly Route[]): ProblemError {
  if (others.length === 0)
    return new ProblemError({ code: 'not-found', detail: 'no resource of this API has that path' });
  const allow = others.map(({ method }) => method).join(', ');
  return new ProblemError({
    code: 'method-not-allowed',
    detail: `allowed: ${allow}`,
    headers: { allow },
  });
}
