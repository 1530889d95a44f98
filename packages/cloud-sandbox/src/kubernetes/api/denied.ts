import type { Attributes } from '../authz/authorizer.ts';
import type { UserInfo } from '../registry/context.ts';
import { forbidden } from './errors.ts';
import type { PathRoute, ResourceRoute } from './route.ts';
import { failure, type StatusError } from './status-error.ts';

/** As the real server's request info has it: a Namespace is in itself, and a list of one name is of that name. */
export function attributesOf(route: ResourceRoute | PathRoute): Attributes {
  if (route.kind === 'path') return { verb: route.verb, path: route.path };
  const { definition, verb, subresource, query } = route;
  const fieldSelector = query.get('fieldSelector');
  const isNamespace = definition.plural === 'namespaces' && definition.group === '';
  const name = route.name ?? (verb === 'list' || verb === 'watch' ? onlyName(query) : undefined);
  const namespace = isNamespace ? route.name : route.namespace;
  return {
    verb,
    group: definition.group,
    resource: definition.plural,
    subresource,
    namespace,
    name,
    ...(fieldSelector !== null && { fieldSelector }),
  };
}

const onlyName = (query: URLSearchParams): string | undefined =>
  /(?:^|,)metadata\.name==?([^,!=]+)/.exec(query.get('fieldSelector') ?? '')?.[1];

/** The answer if no authorizer allows the action, with the `reason` that an authorizer gives. */
export function denied(
  { username }: Pick<UserInfo, 'username'>,
  attributes: Attributes,
  reason?: string,
): StatusError {
  const why = reason === undefined ? '' : `: ${reason}`;
  const who = `User "${username}" cannot ${attributes.verb}`;
  if ('path' in attributes)
    return failure({
      code: 403,
      reason: 'Forbidden',
      message: `forbidden: ${who} path "${attributes.path}"${why}`,
      hasEmptyDetails: true,
    });
  const { group, resource: plural, subresource, namespace, name = '' } = attributes;
  const resource = subresource === undefined ? plural : `${plural}/${subresource}`;
  const scope = namespace === undefined ? 'at the cluster scope' : `in the namespace "${namespace}"`;
  const message = `${who} resource "${resource}" in API group "${group}" ${scope}${why}`;
  return forbidden({ group, plural }, name, message);
}
