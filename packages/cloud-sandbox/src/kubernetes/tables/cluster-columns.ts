import type { Lease } from 'kubernetes-types/coordination/v1.d.ts';
import type { Event, Namespace, Secret } from 'kubernetes-types/core/v1.d.ts';
import type { PriorityClass } from 'kubernetes-types/scheduling/v1.d.ts';
import type { Item } from '../api/list.ts';
import { age, ageColumn, type Column, createdColumn, nameColumn } from './column.ts';

const count =
  (field: 'data' | 'secrets'): Column['value'] =>
  (item) =>
    Object.keys((Reflect.get(item, field) ?? {}) as object).length;

function eventTime(item: Item): string | undefined {
  const { lastTimestamp, eventTime, metadata } = item as Item & Event;
  return lastTimestamp ?? eventTime ?? metadata.creationTimestamp;
}

function firstTime(item: Item): string | undefined {
  const { firstTimestamp, eventTime, metadata } = item as Item & Event;
  return firstTimestamp ?? eventTime ?? metadata.creationTimestamp;
}

/** The columns of what the other files here do not have. */
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
    {
      name: 'Subobject',
      wide: true,
      value: (item) => (item as Item & Event).involvedObject.fieldPath ?? '',
    },
    { name: 'Source', wide: true, value: (item) => (item as Item & Event).source?.component ?? '' },
    { name: 'Message', value: (item) => ((item as Item & Event).message ?? '').trim() },
    { name: 'First Seen', wide: true, value: (item, now) => age(firstTime(item), now) },
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
  'priorityclasses.scheduling.k8s.io': [
    nameColumn,
    { name: 'Value', type: 'integer', value: (item) => (item as Item & PriorityClass).value },
    {
      name: 'Global-Default',
      value: (item) => String((item as Item & PriorityClass).globalDefault ?? false),
    },
    ageColumn,
    {
      name: 'PreemptionPolicy',
      value: (item) => (item as Item & PriorityClass).preemptionPolicy ?? 'PreemptLowerPriority',
    },
  ],
  limitranges: [nameColumn, createdColumn],
  'customresourcedefinitions.apiextensions.k8s.io': [nameColumn, createdColumn],
  'leases.coordination.k8s.io': [
    nameColumn,
    { name: 'Holder', value: (item) => (item as Item & Lease).spec?.holderIdentity ?? '' },
    ageColumn,
  ],
};
