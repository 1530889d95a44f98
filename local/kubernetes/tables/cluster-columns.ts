import type { CertificateSigningRequest } from 'kubernetes-types/certificates/v1.d.ts';
import type { Lease } from 'kubernetes-types/coordination/v1.d.ts';
import type {
  Event,
  Namespace,
  PersistentVolume,
  PersistentVolumeClaim,
  Secret,
  Service,
} from 'kubernetes-types/core/v1.d.ts';
import type { VolumeAttachment } from 'kubernetes-types/storage/v1.d.ts';
import type { Item } from '../api/list.ts';
import { age, ageColumn, type Column, nameColumn } from './column.ts';

const count =
  (field: 'data' | 'secrets'): Column['value'] =>
  (item) =>
    Object.keys((Reflect.get(item, field) ?? {}) as object).length;

function eventTime(item: Item): string | undefined {
  const { lastTimestamp, eventTime, metadata } = item as Item & Event;
  return lastTimestamp ?? eventTime ?? metadata.creationTimestamp;
}

function requestCondition(item: Item): string {
  const { status } = item as Item & CertificateSigningRequest;
  const types = (status?.conditions ?? []).map(({ type }) => type);
  if (status?.certificate !== undefined) types.push('Issued');
  return types.length === 0 ? 'Pending' : types.join(',');
}

function ports(item: Item): string {
  const list = ((item as Item & Service).spec?.ports ?? []).map(
    ({ port, protocol }) => `${port}/${protocol ?? 'TCP'}`,
  );
  return list.length === 0 ? '<none>' : list.join(',');
}

/** The columns of what is neither node, pod nor workload. */
export const clusterColumns: Readonly<Record<string, readonly Column[]>> = {
  namespaces: [
    nameColumn,
    { name: 'Status', value: (item) => (item as Item & Namespace).status?.phase ?? '' },
    ageColumn,
  ],
  events: [
    { name: 'Last Seen', value: (item, now) => age(eventTime(item), now) },
    { name: 'Type', value: (item) => (item as Item & Event).type ?? '' },
    { name: 'Reason', value: (item) => (item as Item & Event).reason ?? '' },
    {
      name: 'Object',
      value: (item) => {
        const { kind = '', name = '' } = (item as Item & Event).involvedObject;
        return `${kind.toLowerCase()}/${name}`;
      },
    },
    { name: 'Source', wide: true, value: (item) => (item as Item & Event).source?.component ?? '' },
    { name: 'Message', value: (item) => ((item as Item & Event).message ?? '').trim() },
    { name: 'Count', wide: true, type: 'integer', value: (item) => (item as Item & Event).count ?? 1 },
    { ...nameColumn, wide: true },
  ],
  configmaps: [nameColumn, { name: 'Data', type: 'integer', value: count('data') }, ageColumn],
  secrets: [
    nameColumn,
    { name: 'Type', value: (item) => (item as Item & Secret).type ?? 'Opaque' },
    { name: 'Data', type: 'integer', value: count('data') },
    ageColumn,
  ],
  serviceaccounts: [nameColumn, { name: 'Secrets', type: 'integer', value: count('secrets') }, ageColumn],
  services: [
    nameColumn,
    { name: 'Type', value: (item) => (item as Item & Service).spec?.type ?? 'ClusterIP' },
    { name: 'Cluster-IP', value: (item) => (item as Item & Service).spec?.clusterIP ?? '<none>' },
    { name: 'External-IP', value: () => '<none>' },
    { name: 'Port(s)', value: ports },
    ageColumn,
  ],
  persistentvolumes: [
    nameColumn,
    { name: 'Status', value: (item) => (item as Item & PersistentVolume).status?.phase ?? 'Bound' },
    {
      name: 'Claim',
      value: (item) => {
        const { namespace = '', name = '' } = (item as Item & PersistentVolume).spec?.claimRef ?? {};
        return name === '' ? '' : `${namespace}/${name}`;
      },
    },
    ageColumn,
  ],
  persistentvolumeclaims: [
    nameColumn,
    { name: 'Status', value: (item) => (item as Item & PersistentVolumeClaim).status?.phase ?? '' },
    { name: 'Volume', value: (item) => (item as Item & PersistentVolumeClaim).spec?.volumeName ?? '' },
    ageColumn,
  ],
  'leases.coordination.k8s.io': [
    nameColumn,
    { name: 'Holder', value: (item) => (item as Item & Lease).spec?.holderIdentity ?? '' },
    ageColumn,
  ],
  'volumeattachments.storage.k8s.io': [
    nameColumn,
    { name: 'Attacher', value: (item) => (item as Item & VolumeAttachment).spec?.attacher ?? '' },
    {
      name: 'PV',
      value: (item) => (item as Item & VolumeAttachment).spec?.source.persistentVolumeName ?? '',
    },
    { name: 'Node', value: (item) => (item as Item & VolumeAttachment).spec?.nodeName ?? '' },
    {
      name: 'Attached',
      value: (item) => String((item as Item & VolumeAttachment).status?.attached ?? false),
    },
    ageColumn,
  ],
  'certificatesigningrequests.certificates.k8s.io': [
    nameColumn,
    ageColumn,
    {
      name: 'SignerName',
      value: (item) => (item as Item & CertificateSigningRequest).spec?.signerName ?? '<none>',
    },
    { name: 'Requestor', value: (item) => (item as Item & CertificateSigningRequest).spec?.username ?? '' },
    { name: 'Condition', value: requestCondition },
  ],
};
