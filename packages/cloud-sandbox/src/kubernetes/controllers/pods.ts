import type { Pod, PodTemplateSpec } from 'kubernetes-types/core/v1.d.ts';
import type { OwnerReference } from 'kubernetes-types/meta/v1.d.ts';
import type { Stored } from '../store/object.ts';

/** Counts towards a workload's replicas: neither finished nor going. */
export function isActive({ metadata, status }: Stored<Pod>): boolean {
  return (
    metadata.deletionTimestamp === undefined && status?.phase !== 'Succeeded' && status?.phase !== 'Failed'
  );
}

export function podFrom(
  template: PodTemplateSpec,
  metadata: { name?: string; generateName?: string; namespace: string },
  owner: OwnerReference,
): Pod {
  const { labels, annotations } = template.metadata ?? {};
  return {
    metadata: {
      ...metadata,
      ...(labels !== undefined && { labels }),
      ...(annotations !== undefined && { annotations }),
      ownerReferences: [owner],
    },
    ...(template.spec !== undefined && { spec: template.spec }),
  };
}

export function ownerReference(
  apiVersion: string,
  kind: string,
  { metadata }: { readonly metadata: { readonly name: string; readonly uid: string } },
): OwnerReference {
  const { name, uid } = metadata;
  return { apiVersion, kind, name, uid, controller: true, blockOwnerDeletion: true };
}
