import { createHash } from 'node:crypto';
import type { ResourceDefinition } from '../resources/definition.ts';
import { subresourceKind } from './discovery-verbs.ts';
import { notAcceptable } from './errors.ts';
import type { ApiResponse } from './request.ts';

const type = 'application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList';

/** Whether the aggregated document is asked for before the old one. Throws 406 for a version that is no more. */
export function wantsAggregated(accept: string): boolean {
  const ranges = accept.split(',').map((range) => range.replaceAll(' ', ''));
  const isAggregated = (range: string): boolean => range.includes('as=APIGroupDiscoveryList');
  const isServed = (range: string): boolean => /;v=v2(;|$)/.test(range);
  const first = ranges.find((range) => !isAggregated(range) || isServed(range));
  if (first === undefined) throw notAcceptable(['application/json', 'application/yaml']);
  return isAggregated(first);
}

/** apidiscovery.k8s.io/v2: all groups of a root in one document, as kubectl asks first. */
export function aggregatedDiscovery(
  groups: readonly (readonly [group: string, resources: readonly ResourceDefinition[]])[],
): ApiResponse {
  const items = groups.map(([name, resources]) => ({
    metadata: { ...(name !== '' && { name }) },
    versions: [{ version: 'v1', freshness: 'Current', resources: resources.map(entry) }],
  }));
  const body = { kind: 'APIGroupDiscoveryList', apiVersion: 'apidiscovery.k8s.io/v2', metadata: {}, items };
  const text = JSON.stringify(body);
  const etag = `"${createHash('sha512').update(text).digest('hex').toUpperCase()}"`;
  return { status: 200, headers: { 'content-type': type, vary: 'Accept', etag }, body: text };
}

/** A kind of the group's own version is named without both. */
function entry(definition: ResourceDefinition): object {
  const { kind, plural, singular, namespaced, shortNames, categories, subresources, verbs } = definition;
  return {
    resource: plural,
    responseKind: { group: '', version: '', kind },
    scope: namespaced ? 'Namespaced' : 'Cluster',
    singularResource: singular,
    verbs,
    ...(shortNames.length > 0 && { shortNames }),
    ...(categories.length > 0 && { categories }),
    ...(subresources.length > 0 && {
      subresources: subresources.toSorted().map((part) => {
        const own = subresourceKind(part, kind);
        const responseKind = { group: own.group ?? '', version: own.version ?? '', kind: own.kind };
        return { subresource: part, responseKind, verbs: own.verbs };
      }),
    }),
  };
}
