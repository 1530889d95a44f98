import type { Node } from 'kubernetes-types/core/v1.d.ts';
import type { Item } from '../api/list.ts';
import { ageColumn, type Column, nameColumn } from './column.ts';

const node = (item: Item): Node => item as Item & Node;

function statusText(item: Item): string {
  const { status, spec } = node(item);
  const ready = status?.conditions?.find(({ type }) => type === 'Ready');
  const state = { True: 'Ready', False: 'NotReady' }[ready?.status ?? ''] ?? (ready ? 'NotReady' : 'Unknown');
  return spec?.unschedulable === true ? `${state},SchedulingDisabled` : state;
}

function roles(item: Item): string {
  const prefix = 'node-role.kubernetes.io/';
  const names = Object.keys(item.metadata.labels ?? {})
    .filter((label) => label.startsWith(prefix))
    .map((label) => label.slice(prefix.length));
  return names.length === 0 ? '<none>' : names.sort().join(',');
}

function address(type: string): (item: Item) => string {
  return (item) => node(item).status?.addresses?.find((entry) => entry.type === type)?.address ?? '<none>';
}

export const nodeColumns: readonly Column[] = [
  nameColumn,
  { name: 'Status', value: statusText },
  { name: 'Roles', value: roles },
  ageColumn,
  { name: 'Version', value: (item) => node(item).status?.nodeInfo?.kubeletVersion ?? '' },
  { name: 'Internal-IP', wide: true, value: address('InternalIP') },
  { name: 'External-IP', wide: true, value: address('ExternalIP') },
  { name: 'OS-Image', wide: true, value: (item) => node(item).status?.nodeInfo?.osImage ?? '<unknown>' },
  {
    name: 'Kernel-Version',
    wide: true,
    value: (item) => node(item).status?.nodeInfo?.kernelVersion ?? '<unknown>',
  },
  {
    name: 'Container-Runtime',
    wide: true,
    value: (item) => node(item).status?.nodeInfo?.containerRuntimeVersion ?? '<unknown>',
  },
];
