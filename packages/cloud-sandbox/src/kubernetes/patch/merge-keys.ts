import type { JsonObject } from './json.ts';

/**
 * Lists of objects that a strategic merge patch merges by a key: `x-kubernetes-patch-merge-key` in the OpenAPI document of
 * Kubernetes 1.34. Taints and tolerations are not among them.
 */
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
  ownerReferences: 'uid',
  imagePullSecrets: 'name',
  secrets: 'name',
  hostAliases: 'ip',
  hostIPs: 'ip',
  podIPs: 'ip',
  topologySpreadConstraints: 'topologyKey',
  schedulingGates: 'name',
  resourceClaims: 'name',
  resourceClaimStatuses: 'name',
  drivers: 'name',
};

/** Lists of plain values that are merged as sets: `x-kubernetes-patch-strategy: merge`. */
const sets: ReadonlySet<string> = new Set(['finalizers', 'podCIDRs']);

/** Fields that are replaced as a whole: only the selector of a budget, which has `x-kubernetes-patch-strategy: replace`. */
export function isReplaced(field: string, value: unknown): boolean {
  return field === 'selector' && typeof value === 'object' && value !== null && isLabelSelector(value);
}

/** A Service's selector is a plain map, and a workload's may not change. */
const isLabelSelector = (value: object): boolean => 'matchLabels' in value || 'matchExpressions' in value;

/** The key of a list's items. Ports have one key in a Service and another in a container. */
export function mergeKeyOf(field: string, items: readonly JsonObject[]): string | undefined {
  if (field !== 'ports') return mergeKeys[field];
  return items.some((item) => 'containerPort' in item) ? 'containerPort' : 'port';
}

export function isMergedSet(field: string): boolean {
  return sets.has(field);
}
