import { apiVersionOf, type ResourceDefinition } from '../resources/definition.ts';
import { definitions } from '../resources/definitions.ts';
import { virtualResources } from '../resources/virtual.ts';
import { aggregatedDiscovery, wantsAggregated } from './aggregated-discovery.ts';
import { subresourceKind } from './discovery-verbs.ts';
import { type ApiResponse, jsonResponse } from './request.ts';

const everything = [...definitions, ...virtualResources];

const groupNames: readonly string[] = [...new Set(everything.map(({ group }) => group))];

export const isGroup = (name: string): boolean => groupNames.includes(name);

function resourcesOf(group: string): readonly ResourceDefinition[] {
  return everything.filter((definition) => definition.group === group);
}

/** The discovery documents, old and aggregated. Undefined when the path is none of theirs. */
export function answerDiscovery(path: string, accept: string): ApiResponse | undefined {
  const trimmed = path.replace(/\/$/, '');
  if ((trimmed === '/api' || trimmed === '/apis') && wantsAggregated(accept)) {
    const groups = trimmed === '/api' ? [''] : groupNames.filter((group) => group !== '');
    return aggregatedDiscovery(groups.map((group) => [group, resourcesOf(group)]));
  }
  if (trimmed === '/api')
    return jsonResponse(200, { kind: 'APIVersions', versions: ['v1'], serverAddressByClientCIDRs: [] });
  if (trimmed === '/apis') {
    const groups = groupNames.filter((group) => group !== '').map(apiGroup);
    return jsonResponse(200, { kind: 'APIGroupList', apiVersion: 'v1', groups });
  }
  const [, group] = /^\/apis\/([^/]+)$/.exec(trimmed) ?? [];
  if (group !== undefined && groupNames.includes(group))
    return jsonResponse(200, { kind: 'APIGroup', apiVersion: 'v1', ...apiGroup(group) });
  return resourceList(trimmed);
}

function apiGroup(name: string): object {
  const version = { groupVersion: `${name}/v1`, version: 'v1' };
  return { name, versions: [version], preferredVersion: version };
}

function resourceList(path: string): ApiResponse | undefined {
  const group = path === '/api/v1' ? '' : /^\/apis\/([^/]+)\/v1$/.exec(path)?.[1];
  const found = group === undefined ? [] : resourcesOf(group);
  const [first] = found;
  if (first === undefined) return undefined;
  const resources = found.flatMap(resourceEntries).toSorted(byName);
  return jsonResponse(200, {
    kind: 'APIResourceList',
    // The core group's is written by an encoder that is older than the field.
    ...(group !== '' && { apiVersion: 'v1' }),
    groupVersion: apiVersionOf(first),
    resources,
  });
}

interface Entry {
  readonly name: string;
}

const byName = (left: Entry, right: Entry): number => (left.name < right.name ? -1 : 1);

function resourceEntries(definition: ResourceDefinition): readonly Entry[] {
  const { plural, singular, kind, namespaced, shortNames, categories, subresources } = definition;
  const own = {
    name: plural,
    singularName: singular,
    namespaced,
    kind,
    verbs: definition.verbs,
    ...(shortNames.length > 0 && { shortNames }),
    ...(categories.length > 0 && { categories }),
  };
  const parts = subresources.map((part) => ({
    name: `${plural}/${part}`,
    singularName: '',
    namespaced,
    ...subresourceKind(part, kind),
  }));
  return [own, ...parts];
}
