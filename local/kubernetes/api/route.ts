import type { ResourceDefinition } from '../resources/definition.ts';
import { definitions } from '../resources/definitions.ts';
import { virtualResources } from '../resources/virtual.ts';

type Verb = 'get' | 'list' | 'watch' | 'create' | 'update' | 'patch' | 'delete' | 'deletecollection';

/** A request for a resource, as authorizers and handlers see it. */
export interface ResourceRoute {
  readonly kind: 'resource';
  readonly definition: ResourceDefinition;
  readonly verb: Verb;
  readonly namespace: string | undefined;
  readonly name: string | undefined;
  readonly subresource: string | undefined;
  readonly query: URLSearchParams;
}

export interface PathRoute {
  readonly kind: 'path';
  readonly path: string;
  readonly verb: Lowercase<string>;
  readonly query: URLSearchParams;
}

const known = new Map(
  [...definitions, ...virtualResources].map((definition) => [addressOf(definition), definition]),
);

function addressOf({ group, version, plural }: { group: string; version: string; plural: string }): string {
  return `${group}/${version}/${plural}`;
}

/** What a request addresses. Undefined when it looks like a resource that this server does not have. */
export function routeOf(method: string, pathWithQuery: string): ResourceRoute | PathRoute | undefined {
  const url = new URL(`https://kubernetes.invalid${pathWithQuery}`);
  if (!isDecodable(url.pathname)) return undefined;
  const steps = url.pathname
    .split('/')
    .filter((step) => step !== '')
    .map(decodeURIComponent);
  const query = url.searchParams;
  const isCore = steps[0] === 'api' && steps.length >= 3;
  const isGroup = steps[0] === 'apis' && steps.length >= 4;
  if (!isCore && !isGroup)
    return { kind: 'path', path: url.pathname, verb: method.toLowerCase() as 'get', query };
  const [group = '', version = '', ...rest] = isCore ? ['', ...steps.slice(1)] : steps.slice(1);
  const target = readTarget(rest);
  const definition = known.get(addressOf({ group, version, plural: target.plural }));
  if (definition === undefined) return undefined;
  const { namespace, name, subresource } = target;
  const verb = verbOf(method, name, query);
  return verb === undefined
    ? undefined
    : { kind: 'resource', definition, verb, namespace, name, subresource, query };
}

/** A path with a broken percent escape names nothing. */
function isDecodable(path: string): boolean {
  try {
    decodeURIComponent(path);
    return true;
  } catch {
    return false;
  }
}

interface Target {
  readonly plural: string;
  readonly namespace: string | undefined;
  readonly name: string | undefined;
  readonly subresource: string | undefined;
}

/** `namespaces/x` and its parts `status` and `finalize` are the Namespace itself; deeper paths are what is in it. */
function readTarget(steps: readonly string[]): Target {
  const own = ['status', 'finalize'];
  if (steps[0] === 'namespaces' && steps.length >= 3 && !own.includes(steps[2] ?? '')) {
    const [, namespace, plural = '', name, subresource] = steps;
    return { plural, namespace, name, subresource };
  }
  const [plural = '', name, subresource] = steps;
  return { plural, namespace: undefined, name, subresource };
}

function verbOf(method: string, name: string | undefined, query: URLSearchParams): Verb | undefined {
  const watch = ['1', 'true'].includes(query.get('watch') ?? '');
  switch (method) {
    case 'GET':
      if (watch) return 'watch';
      return name === undefined ? 'list' : 'get';
    case 'POST':
      return 'create';
    case 'PUT':
      return 'update';
    case 'PATCH':
      return 'patch';
    case 'DELETE':
      return name === undefined ? 'deletecollection' : 'delete';
    default:
      return undefined;
  }
}
