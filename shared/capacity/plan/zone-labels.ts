import type { Labels, VolumeZone } from './types.ts';

/** The labels of volumes and nodes that VolumeZone compares, with the one that may stand for an old one on a node. */
export const zoneLabels: ReadonlyMap<string, string> = new Map([
  ['failure-domain.beta.kubernetes.io/zone', 'topology.kubernetes.io/zone'],
  ['failure-domain.beta.kubernetes.io/region', 'topology.kubernetes.io/region'],
  ['topology.kubernetes.io/zone', 'topology.kubernetes.io/zone'],
  ['topology.kubernetes.io/region', 'topology.kubernetes.io/region'],
]);

/** Whether a node with these labels is where the labels of volumes say. A node without any label of a zone or a region may be anywhere. */
export function isInZones(labels: Labels, zones: readonly VolumeZone[]): boolean {
  if (![...zoneLabels.keys()].some((key) => labels[key] !== undefined)) return true;
  return zones.every(({ key, values }) => {
    const value = labels[key] ?? labels[zoneLabels.get(key) ?? key];
    return value !== undefined && values.includes(value);
  });
}
