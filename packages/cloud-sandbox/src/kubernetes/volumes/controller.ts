import type { Pod } from 'kubernetes-types/core/v1.d.ts';
import { readiness } from '../controllers/node-lifecycle.ts';
import { isOutOfService } from '../controllers/pod-garbage-collector.ts';
import { createWorkQueue } from '../controllers/work-queue.ts';
import type { Registry } from '../registry/registry.ts';
import type { Stored } from '../store/object.ts';
import type { Store } from '../store/store.ts';
import { attachmentName, volumesOf } from './attachments.ts';

const driver = 'ebs.csi.aws.com';
const attachMilliseconds = 2_000;
const unmountMilliseconds = 500;
const detachMilliseconds = 4_000;
/** As its attacher has it. */
const finalizer = `external-attacher/${driver.replaceAll('.', '-')}`;
/** From a node that does not answer, a volume is taken away only after so long: the "six minutes" of operators. */
const forcedDetachMilliseconds = 360_000;

/** Binds claims to volumes made for them, attaches volumes where pods are bound, detaches them when the last pod has gone. */
export function startVolumeControllers(registry: Registry): void {
  const { store, clock } = registry;
  startClaimBinder(registry);
  store.of('pods').subscribe(({ type, object, previous }) => {
    if (!usesClaims(object) || object.spec?.nodeName === undefined) return;
    if (type === 'DELETED') return planDetach(registry, object);
    if (previous?.spec?.nodeName === undefined) clock.after(0, () => attach(registry, object));
  });
}

function usesClaims({ spec }: Stored<Pod>): boolean {
  return (spec?.volumes ?? []).some(({ persistentVolumeClaim }) => persistentVolumeClaim !== undefined);
}

function startClaimBinder(registry: Registry): void {
  const claims = registry.store.of('persistentvolumeclaims');
  const queue = createWorkQueue(registry.clock, (key) => {
    const [namespace, name = ''] = key.split('/');
    const claim = claims.get(namespace, name);
    if (claim === undefined || claim.status?.phase === 'Bound') return;
    const volumeName = claim.spec?.volumeName ?? `pvc-${claim.metadata.uid}`;
    const { accessModes = ['ReadWriteOnce'], resources, storageClassName = '' } = claim.spec ?? {};
    const capacity = resources?.requests ?? {};
    const csi = { driver, volumeHandle: `vol-${registry.random.hex(17)}` };
    registry.create('persistentvolumes', {
      metadata: { name: volumeName },
      spec: { accessModes, capacity, csi, storageClassName, claimRef: { namespace: namespace ?? '', name } },
    });
    registry.update('persistentvolumeclaims', claim, (found) => ({
      ...found,
      spec: { ...found.spec, volumeName },
    }));
    const status = { phase: 'Bound', accessModes, capacity };
    registry.updateStatus('persistentvolumeclaims', claim, (found) => ({ ...found, status }));
  });
  claims.subscribe(({ type, object }) => {
    if (type === 'ADDED') queue.add(`${object.metadata.namespace ?? ''}/${object.metadata.name}`);
  });
}

/** https://kubernetes.io/docs/concepts/storage/persistent-volumes/#access-modes */
function mayBeOnMany(store: Store, volumeName: string): boolean {
  const modes = store.of('persistentvolumes').get(undefined, volumeName)?.spec?.accessModes ?? [];
  return modes.includes('ReadWriteMany') || modes.includes('ReadOnlyMany');
}

/** A volume for one node at a time that is still attached elsewhere is waited for: the multi-attach error. */
function attach(registry: Registry, pod: Stored<Pod>): void {
  const { store, clock } = registry;
  const current = store.of('pods').get(pod.metadata.namespace, pod.metadata.name);
  const nodeName = pod.spec?.nodeName ?? '';
  if (current?.metadata.uid !== pod.metadata.uid) return;
  const attachments = store.of('volumeattachments.storage.k8s.io');
  const volumes = volumesOf(store, pod);
  for (const volume of volumes) {
    if (attachments.get(undefined, attachmentName(volume, nodeName)) !== undefined) continue;
    const isElsewhere = attachments.list().some(({ spec }) => spec?.source.persistentVolumeName === volume);
    if (isElsewhere && !mayBeOnMany(store, volume)) continue;
    createAttachment(registry, volume, nodeName);
  }
  const complete = volumes.every((volume) => attachments.get(undefined, attachmentName(volume, nodeName)));
  if (volumes.length === 0 || !complete) clock.after(1_000, () => attach(registry, pod));
}

function createAttachment(registry: Registry, volume: string, nodeName: string): void {
  const made = registry.create('volumeattachments.storage.k8s.io', {
    metadata: { name: attachmentName(volume, nodeName), finalizers: [finalizer] },
    spec: { attacher: driver, nodeName, source: { persistentVolumeName: volume } },
  });
  registry.clock.after(attachMilliseconds, () => {
    registry.updateStatus('volumeattachments.storage.k8s.io', made, (found) => ({
      ...found,
      status: { attached: true },
    }));
    writeAttached(registry, nodeName);
  });
}

/**
 * The kubelet unmounts first. Before the driver is asked to detach, the volume is taken off the Node's status, so that no pod
 * mounts it any more (kubernetes/pkg/controller/volume/attachdetach/reconciler); that it still hangs there is shown only by the
 * VolumeAttachment, which the driver's finalizer keeps until it is done.
 */
function planDetach(registry: Registry, pod: Stored<Pod>): void {
  const { store, clock } = registry;
  const nodeName = pod.spec?.nodeName ?? '';
  const volumes = volumesOf(store, pod);
  const node = store.of('nodes').get(undefined, nodeName);
  // From a node that is out of service they are taken away although its kubelet has not unmounted them.
  const isFree = readiness(node) === 'True' || isOutOfService(node);
  clock.after(isFree ? unmountMilliseconds : forcedDetachMilliseconds, () => {
    for (const volume of unused(store, { volumes, nodeName })) beginDetach(registry, volume, nodeName);
    writeAttached(registry, nodeName);
  });
}

function unused(
  store: Store,
  { volumes, nodeName }: { readonly volumes: readonly string[]; readonly nodeName: string },
): readonly string[] {
  const used = new Set(
    store
      .of('pods')
      .find('node', nodeName)
      .flatMap((other) => volumesOf(store, other)),
  );
  return volumes.filter((name) => !used.has(name));
}

function beginDetach(registry: Registry, volume: string, nodeName: string): void {
  const attachments = registry.store.of('volumeattachments.storage.k8s.io');
  const name = attachmentName(volume, nodeName);
  const attachment = attachments.get(undefined, name);
  if (attachment === undefined) return;
  registry.delete('volumeattachments.storage.k8s.io', attachment);
  registry.clock.after(detachMilliseconds, () => {
    const detached = attachments.get(undefined, name);
    if (detached === undefined) return;
    const { finalizers: _, ...metadata } = detached.metadata;
    registry.update('volumeattachments.storage.k8s.io', detached, (found) => ({ ...found, metadata }));
  });
}

/** What is being detached is no longer reported. */
function writeAttached(registry: Registry, nodeName: string): void {
  const node = registry.store.of('nodes').get(undefined, nodeName);
  if (node === undefined) return;
  const attached = registry.store
    .of('volumeattachments.storage.k8s.io')
    .list()
    .filter(({ spec, status }) => spec?.nodeName === nodeName && status?.attached === true)
    .filter(({ metadata }) => metadata.deletionTimestamp === undefined)
    .map(({ spec }) => `kubernetes.io/csi/${driver}^${spec?.source.persistentVolumeName ?? ''}`);
  const volumesAttached = attached.map((name) => ({ name, devicePath: '' }));
  registry.updateStatus('nodes', node, (found) => ({
    ...found,
    status: { ...found.status, volumesAttached, volumesInUse: attached },
  }));
}
