import type { JsonObject } from './json.ts';

/** Lists of objects that a strategic merge patch merges by a key: `x-kubernetes-patch-merge-key` in the OpenAPI schema. */
const mergeKeys: Readonly<Record<string, string>> = {
  containers: 'name',
  initContainers: 'name',
  ephemeralContainers: 'name',
  volumes: 'name',
  volumeMounts: 'mountPath',
  volumeDevices: 'devicePath',
  env: 'name',
  conditions: 'type',
  addresses: 'type',
  taints: 'key',
  ownerReferences: 'uid',
  imagePullSecrets: 'name',
  secrets: 'name',
  hostAliases: 'ip',
  topologySpreadConstraints: 'topologyKey',
  resourceClaims: 'name',
};

/** Lists of plain values that are merged as sets: `x-kubernetes-patch-strategy: merge`. */
const sets: ReadonlySet<string> = new Set(['finalizers', 'podCIDRs', 'volumesInUse']);

/** The key of a list's items. Ports have one key in a Service and another in a container. */
export function mergeKeyOf(field: string, items: readonly JsonObject[]): string | undefined {
  if (field !== 'ports') return mergeKeys[field];
  return items.some((item) => 'containerPort' in item) ? 'containerPort' : 'port';
}

export function isMergedSet(field: string): boolean {
  return sets.has(field);
}
