import type { Pod } from 'kubernetes-types/core/v1.d.ts';
import type { Stored } from '../store/object.ts';
import type { Store } from '../store/store.ts';

/** The PersistentVolumes that a pod's claims are bound to. */
export function volumesOf(store: Store, { spec, metadata }: Stored<Pod>): readonly string[] {
  return (spec?.volumes ?? []).flatMap(({ persistentVolumeClaim }) => {
    if (persistentVolumeClaim === undefined) return [];
    const claim = store.of('persistentvolumeclaims').get(metadata.namespace, persistentVolumeClaim.claimName);
    return claim?.spec?.volumeName === undefined ? [] : [claim.spec.volumeName];
  });
}

export function attachmentName(volumeName: string, nodeName: string): string {
  return `csi-${volumeName}-${nodeName}`.slice(0, 250);
}

/** All claims of the pod are bound, and their volumes attached to its node. */
export function volumesReady(store: Store, pod: Stored<Pod>): boolean {
  const claims = (pod.spec?.volumes ?? []).filter((volume) => volume.persistentVolumeClaim !== undefined);
  const volumes = volumesOf(store, pod);
  const attachments = store.of('volumeattachments.storage.k8s.io');
  return (
    volumes.length === claims.length &&
    volumes.every(
      (volume) =>
        attachments.get(undefined, attachmentName(volume, pod.spec?.nodeName ?? ''))?.status?.attached ===
        true,
    )
  );
}
