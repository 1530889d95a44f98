import type { PersistentVolume, PersistentVolumeClaim } from 'kubernetes-types/core/v1.d.ts';
import type { StorageClass, VolumeAttachment } from 'kubernetes-types/storage/v1.d.ts';
import type { Item } from '../api/list.ts';
import { ageColumn, type Column, nameColumn } from './column.ts';

const volume = (item: Item): PersistentVolume => item as Item & PersistentVolume;
const claim = (item: Item): PersistentVolumeClaim => item as Item & PersistentVolumeClaim;
const storageClass = (item: Item): StorageClass => item as Item & StorageClass;
const attachment = (item: Item): VolumeAttachment => item as Item & VolumeAttachment;

const shortModes: Readonly<Record<string, string>> = {
  ReadWriteOnce: 'RWO',
  ReadOnlyMany: 'ROX',
  ReadWriteMany: 'RWX',
  ReadWriteOncePod: 'RWOP',
};

const modes = (list: readonly string[] | undefined): string =>
  (list ?? []).map((mode) => shortModes[mode] ?? mode).join(',');

function claimOf(item: Item): string {
  const { namespace = '', name = '' } = volume(item).spec?.claimRef ?? {};
  return name === '' ? '' : `${namespace}/${name}`;
}

const attributesClass: Column = { name: 'VolumeAttributesClass', value: () => '<unset>' };

/** The columns of what pods keep. */
export const storageColumns: Readonly<Record<string, readonly Column[]>> = {
  persistentvolumes: [
    nameColumn,
    { name: 'Capacity', value: (item) => volume(item).spec?.capacity?.['storage'] ?? '' },
    { name: 'Access Modes', value: (item) => modes(volume(item).spec?.accessModes) },
    { name: 'Reclaim Policy', value: (item) => volume(item).spec?.persistentVolumeReclaimPolicy ?? '' },
    { name: 'Status', value: (item) => volume(item).status?.phase ?? 'Bound' },
    { name: 'Claim', value: claimOf },
    { name: 'StorageClass', value: (item) => volume(item).spec?.storageClassName ?? '' },
    attributesClass,
    { name: 'Reason', value: (item) => volume(item).status?.reason ?? '' },
    ageColumn,
    { name: 'VolumeMode', wide: true, value: (item) => volume(item).spec?.volumeMode ?? 'Filesystem' },
  ],
  persistentvolumeclaims: [
    nameColumn,
    { name: 'Status', value: (item) => claim(item).status?.phase ?? '' },
    { name: 'Volume', value: (item) => claim(item).spec?.volumeName ?? '' },
    { name: 'Capacity', value: (item) => claim(item).status?.capacity?.['storage'] ?? '' },
    { name: 'Access Modes', value: (item) => modes(claim(item).status?.accessModes) },
    { name: 'StorageClass', value: (item) => claim(item).spec?.storageClassName ?? '' },
    attributesClass,
    ageColumn,
    { name: 'VolumeMode', wide: true, value: (item) => claim(item).spec?.volumeMode ?? 'Filesystem' },
  ],
  'storageclasses.storage.k8s.io': [
    nameColumn,
    { name: 'Provisioner', value: (item) => storageClass(item).provisioner },
    { name: 'ReclaimPolicy', value: (item) => storageClass(item).reclaimPolicy ?? 'Delete' },
    { name: 'VolumeBindingMode', value: (item) => storageClass(item).volumeBindingMode ?? 'Immediate' },
    {
      name: 'AllowVolumeExpansion',
      value: (item) => String(storageClass(item).allowVolumeExpansion ?? false),
    },
    ageColumn,
  ],
  'volumeattachments.storage.k8s.io': [
    nameColumn,
    { name: 'Attacher', value: (item) => attachment(item).spec?.attacher ?? '' },
    { name: 'PV', value: (item) => attachment(item).spec?.source.persistentVolumeName ?? '' },
    { name: 'Node', value: (item) => attachment(item).spec?.nodeName ?? '' },
    { name: 'Attached', value: (item) => String(attachment(item).status?.attached ?? false) },
    ageColumn,
  ],
};
