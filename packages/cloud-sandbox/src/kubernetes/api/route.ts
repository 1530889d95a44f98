import type { ResourceDefinition } from '../resources/definition.ts';
import { definitions } from '../resources/definitions.ts';
import { unknownResource } from '../resources/unknown.ts';
import { virtualResources } from '../resources/virtual.ts';

/** `''`: a method that no resource has. */
export type Verb =
  | 'get'
  | 'list'
  | 'watch'
  | 'create'
  | 'update'
  | 'patch'
  | 'delete'
  | 'deletecollection'
  | '';

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

/**
 * What a request addresses, as the real server's request info has it: what is not a resource of this server is one, too, until
 * it is authorized. Undefined for a path with a broken percent escape.
 */
export function routeOf(method: string, pathWithQuery: string): ResourceRoute | PathRoute | undefined {
  const url = new URL(`https://kubernetes.invalid${pathWithQuery.replace(/^\/+/, '/')}`);
  const path = decoded(url.pathname);
  if (path === undefined) return undefined;
  const steps = path.split('/').filter((step) => step !== '');
  const query = url.searchParams;
  const isCore = steps[0] === 'api' && steps.length >= 3;
  const isGroup = steps[0] === 'apis' && steps.length >= 4;
  if ((!isCore && !isGroup) || pathWithQuery.startsWith('//'))
    return {
      kind: 'path',
      path: pathWithQuery.split('?')[0] ?? '',
      verb: method.toLowerCase() as 'get',
      query,
    };
  const [group = '', version = '', ...rest] = isCore ? ['', ...steps.slice(1)] : steps.slice(1);
  const { plural, ...target } = readTarget(rest);
  const address = { group, version, plural };
  const definition = known.get(addressOf(address)) ?? unknownResource(address);
  return { kind: 'resource', definition, verb: verbOf(method, target.name, query), query, ...target };
}

function decoded(path: string): string | undefined {
  try {
    return decodeURIComponent(path);
  } catch (error) {
    if (error instanceof URIError) return undefined;
    throw error;
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

/** A watch is one of a collection: with a name it is a read. */
function verbOf(method: string, name: string | undefined, query: URLSearchParams): Verb {
  const isWatch = ['1', 'true'].includes(query.get('watch') ?? '');
  switch (method) {
    case 'GET':
      if (name !== undefined) return 'get';
      return isWatch ? 'watch' : 'list';
    case 'POST':
      return 'create';
    case 'PUT':
      return 'update';
    case 'PATCH':
      return 'patch';
    case 'DELETE':
      return name === undefined ? 'deletecollection' : 'delete';
    default:
      return '';
  }
}
