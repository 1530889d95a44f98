import type { RouteWiring } from '../../cloud/wiring.ts';

export interface RouteMatch {
  readonly route: RouteWiring;
  readonly pathParameters: Readonly<Record<string, string>>;
}

interface Candidate extends RouteMatch {
  /** Smaller is more special: a full match, then a greedy one, then `$default`; a named method before ANY. */
  readonly rank: number;
}

const defaultRank = 4;
const greedyRank = 2;

/** One part of a path; undefined for an escape that means nothing. */
function decode(segment: string): string | undefined {
  try {
    return decodeURIComponent(segment);
  } catch {
    return undefined;
  }
}

/** Undefined when the path does not fit. A `{name+}` takes at least one segment. */
function matchPath(template: string, path: string): Readonly<Record<string, string>> | undefined {
  const wanted = template.split('/').slice(1);
  const given = path.split('/').slice(1);
  const parameters: Record<string, string> = {};
  for (const [index, segment] of wanted.entries()) {
    const greedy = /^\{(.+)\+\}$/.exec(segment)?.[1];
    const rest = given.slice(index).join('/');
    if (greedy !== undefined) return rest === '' ? undefined : { ...parameters, [greedy]: rest };
    const name = /^\{(.+)\}$/.exec(segment)?.[1];
    const value = given[index];
    if (value === undefined || (name === undefined && value !== segment)) return undefined;
    if (name === undefined) continue;
    const decoded = value === '' ? undefined : decode(value);
    if (decoded === undefined) return undefined;
    parameters[name] = decoded;
  }
  return wanted.length === given.length ? parameters : undefined;
}

function candidateOf(route: RouteWiring, method: string, path: string): Candidate | undefined {
  if (route.routeKey === '$default') return { route, pathParameters: {}, rank: defaultRank };
  const [routeMethod = '', template = ''] = route.routeKey.split(' ');
  if (routeMethod !== 'ANY' && routeMethod !== method) return undefined;
  const pathParameters = matchPath(template, path);
  if (!pathParameters) return undefined;
  const rank = (template.includes('+}') ? greedyRank : 0) + (routeMethod === 'ANY' ? 1 : 0);
  return { route, pathParameters, rank };
}

/** The route of an HTTP API that takes a request: "the most specific match" (API Gateway developer guide, routes of HTTP APIs). */
export function findRoute(
  routes: readonly RouteWiring[],
  method: string,
  path: string,
): RouteMatch | undefined {
  const candidates = routes.flatMap((route) => candidateOf(route, method, path) ?? []);
  const [best] = candidates.sort((left, right) => left.rank - right.rank);
  return best && { route: best.route, pathParameters: best.pathParameters };
}
