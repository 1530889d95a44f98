import type { Node, Pod } from 'kubernetes-types/core/v1.d.ts';
import type { LeavingMark } from '../leaving-mark.ts';

/** The Node's own word. It falls silent when the detaching of a volume begins, not when it ends. */
export const reportsVolumes = ({ status }: Node): boolean =>
  (status?.volumesAttached ?? []).length > 0 || (status?.volumesInUse ?? []).length > 0;

/** Whether VolumeAttachments may stand for the Node: that spares everybody else a list of all of them. */
export const mayHaveVolumes = (node: Node, mark: LeavingMark): boolean =>
  mark.mayHaveVolumes === true || reportsVolumes(node);

/** A volume of its own has the claim `POD-VOLUME`: https://kubernetes.io/docs/concepts/storage/ephemeral-volumes/ */
export const claimsOf = ({ spec, metadata }: Pod): readonly string[] =>
  (spec?.volumes ?? []).flatMap(({ name, persistentVolumeClaim, ephemeral }) => {
    if (persistentVolumeClaim != null) return [persistentVolumeClaim.claimName];
    return ephemeral == null ? [] : [`${metadata?.name}-${name}`];
  });
