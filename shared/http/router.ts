import type { HttpCall, HttpResult } from './http-call.ts';
import { ProblemError } from './problem.ts';

type PathParameters = Readonly<Record<string, string>>;

/** One operation. `path` as OpenAPI writes it: `/groups/{group}`. */
export interface Route {
  readonly method: 'GET' | 'PUT';
  readonly path: string;
  readonly answer: (call: HttpCall, parameters: PathParameters) => Promise<HttpResult>;
}

/**
 * Finds the route of a call and answers with it. Paths arrive decoded, and the name of a group may contain slashes. So a parameter
 * matches greedily, and of several matching paths the longest template wins.
 *
 * @throws ProblemError: 404 for an unknown path, 405 with Allow for a path that takes other methods.
 */
export function createRouter(routes: readonly Route[]): (call: HttpCall) => Promise<HttpResult> {
  const table = routes
    .map((route) => ({ ...route, pattern: patternOf(route.path) }))
    .toSorted((one, other) => other.path.length - one.path.length);
  return async (call) => {
    const path = table.find(({ pattern }) => pattern.test(call.path))?.path;
    const allowed = table.filter((route) => route.path === path);
    const route = allowed.find(({ method }) => method === call.method);
    if (route === undefined) throw noRoute(allowed);
    return route.answer(call, { ...route.pattern.exec(call.path)?.groups });
  };
}

const patternOf = (path: string): RegExp =>
  new RegExp(`^${path.replaceAll(/\{(\w+)\}/g, '(?<$1>.+)')}$`, 's');

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
