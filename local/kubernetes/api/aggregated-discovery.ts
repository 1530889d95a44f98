import type { ResourceDefinition } from '../resources/definition.ts';
import { subresourceKind } from './discovery-verbs.ts';
import type { ApiResponse } from './request.ts';

/** apidiscovery.k8s.io/v2: all groups of a root in one document, as kubectl asks first. */
export function aggregatedDiscovery(
  groups: readonly (readonly [group: string, resources: readonly ResourceDefinition[]])[],
): ApiResponse {
  const items = groups.map(([name, resources]) => ({
    metadata: { name: name === '' ? null : name, creationTimestamp: null },
    versions: [{ version: 'v1', freshness: 'Current', resources: resources.map(entry) }],
  }));
  const body = { kind: 'APIGroupDiscoveryList', apiVersion: 'apidiscovery.k8s.io/v2', metadata: {}, items };
  const type = 'application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList';
  return { status: 200, headers: { 'content-type': type }, body: JSON.stringify(body) };
}

function entry(definition: ResourceDefinition): object {
  const { group, version, kind, plural, singular, namespaced, shortNames, categories } = definition;
  return {
    resource: plural,
    responseKind: { group, version, kind },
    scope: namespaced ? 'Namespaced' : 'Cluster',
    singularResource: singular,
    verbs: definition.verbs,
    ...(shortNames.length > 0 && { shortNames }),
    ...(categories.length > 0 && { categories }),
    subresources: definition.subresources.map((part) => {
      const { verbs, ...own } = subresourceKind(part, kind);
      return { subresource: part, responseKind: { group, version, ...own }, verbs };
    }),
  };
}
