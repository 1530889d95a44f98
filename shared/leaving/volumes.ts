import type { Node, Pod } from 'kubernetes-types/core/v1.d.ts';
import type { LeavingMark } from '../nodes/leaving-mark.ts';

/** What the Node's status reports. It drops a volume when the detaching begins, not when it ends. */
export const reportsVolumes = ({ status }: Node): boolean =>
  (status?.volumesAttached ?? []).length > 0 || (status?.volumesInUse ?? []).length > 0;

/** Whether the Node may have VolumeAttachments. Nodes without any are spared the list. */
export const mayHaveVolumes = (node: Node, mark: LeavingMark): boolean =>
  mark.mayHaveVolumes === true || reportsVolumes(node);

/** A generic ephemeral volume has the claim `POD-VOLUME`: https://kubernetes.io/docs/concepts/storage/ephemeral-volumes/ */
export const claimsOf = ({ spec, metadata }: Pod): readonly string[] =>
  (spec?.volumes ?? []).flatMap(({ name, persistentVolumeClaim, ephemeral }) => {
    if (persistentVolumeClaim != null) return [persistentVolumeClaim.claimName];
    return ephemeral == null ? [] : [`${metadata?.name}-${name}`];
  });
