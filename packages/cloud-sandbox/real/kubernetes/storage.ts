import { setTimeout as sleep } from 'node:timers/promises';
import type { PersistentVolumeClaim } from 'kubernetes-types/core/v1.d.ts';
import type { VolumeAttachment } from 'kubernetes-types/storage/v1.d.ts';
import { isAway } from '../https.ts';
import type { ClusterAdmin } from './admin.ts';
import { createItem, listItems, patchItem } from './objects.ts';

const driver = 'csi.example.com';
const provisionedBy = 'volume.kubernetes.io/storage-provisioner';
const finalizer = `external-attacher/${driver.replaceAll('.', '-')}`;
const volumeAttachments = '/apis/storage.k8s.io/v1/volumeattachments';
const stepMilliseconds = 300;
/** The driver takes so long to detach a volume. */
const detachMilliseconds = 10_000;

/**
 * What the provisioner and the attacher of a CSI driver do, which the controllers of Kubernetes leave to them: they make a
 * volume for a claim, and answer VolumeAttachments. Nothing mounts a volume, so that pods with claims are bound and never run.
 * https://kubernetes-csi.github.io/docs/sidecar-containers.html
 */
export async function startStorageDriver(
  admin: ClusterAdmin,
  onProblem: (problem: unknown) => void,
): Promise<{ stop(): Promise<void> }> {
  await createItem(admin, '/apis/storage.k8s.io/v1/storageclasses', {
    metadata: { name: 'simple', annotations: { 'storageclass.kubernetes.io/is-default-class': 'true' } },
    provisioner: driver,
  });
  const stopped = new AbortController();
  const play = async (): Promise<void> => {
    while (!stopped.signal.aborted) {
      try {
        await Promise.all([provision(admin), attachAndDetach(admin)]);
      } catch (error) {
        // An API server that is away is waited for, as every controller does.
        if (!isAway(error)) onProblem(error);
      }
      await sleep(stepMilliseconds);
    }
  };
  const playing = play();
  return {
    stop: async () => {
      stopped.abort();
      await playing;
    },
  };
}

async function provision(admin: ClusterAdmin): Promise<void> {
  for (const claim of await listItems<PersistentVolumeClaim>(admin, '/api/v1/persistentvolumeclaims')) {
    const { metadata, spec, status } = claim;
    if (status?.phase !== 'Pending' || metadata?.annotations?.[provisionedBy] !== driver) continue;
    const { namespace, name, uid } = metadata;
    await createItem(admin, '/api/v1/persistentvolumes', {
      metadata: { name: `pvc-${uid}` },
      spec: {
        accessModes: spec?.accessModes,
        capacity: spec?.resources?.requests,
        storageClassName: spec?.storageClassName,
        csi: { driver, volumeHandle: `vol-${uid}` },
        claimRef: { kind: 'PersistentVolumeClaim', apiVersion: 'v1', namespace, name, uid },
      },
    });
  }
}

async function attachAndDetach(admin: ClusterAdmin): Promise<void> {
  for (const { metadata, status } of await listItems<VolumeAttachment>(admin, volumeAttachments)) {
    const path = `${volumeAttachments}/${metadata?.name}`;
    if (metadata?.deletionTimestamp !== undefined) {
      const askedAt = Date.parse(metadata.deletionTimestamp);
      if (Date.now() > askedAt + detachMilliseconds)
        await patchItem(admin, path, { metadata: { finalizers: null } });
    } else if (status?.attached !== true) {
      await patchItem(admin, path, { metadata: { finalizers: [finalizer] } });
      await patchItem(admin, `${path}/status`, { status: { attached: true } });
    }
  }
}
