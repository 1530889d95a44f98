import type { Pod } from 'kubernetes-types/core/v1.d.ts';
import type { Item } from '../api/list.ts';
import { ageColumn, type Column, nameColumn } from './column.ts';

const pod = (item: Item): Pod => item as Item & Pod;

function ready(item: Item): string {
  const { spec, status } = pod(item);
  const count = status?.containerStatuses?.filter((container) => container.ready).length ?? 0;
  return `${count}/${spec?.containers.length ?? 0}`;
}

/** As the server's printer: a reason before the phase, Terminating before both. */
function statusText(item: Item): string {
  const { status, metadata } = pod(item);
  const [state] = (status?.containerStatuses ?? []).map((container) => container.state);
  const reason = state?.waiting?.reason ?? state?.terminated?.reason;
  const text = status?.reason ?? reason ?? status?.phase ?? 'Unknown';
  if (metadata?.deletionTimestamp === undefined) return text;
  return status?.reason === 'NodeLost' ? 'Unknown' : 'Terminating';
}

function gates(item: Item): string {
  const names = (pod(item).spec?.readinessGates ?? []).length;
  return names === 0 ? '<none>' : `0/${names}`;
}

export const podColumns: readonly Column[] = [
  nameColumn,
  { name: 'Ready', value: ready },
  { name: 'Status', value: statusText },
  {
    name: 'Restarts',
    value: (item) => String(pod(item).status?.containerStatuses?.[0]?.restartCount ?? 0),
  },
  ageColumn,
  { name: 'IP', wide: true, value: (item) => pod(item).status?.podIP ?? '<none>' },
  { name: 'Node', wide: true, value: (item) => pod(item).spec?.nodeName ?? '<none>' },
  { name: 'Nominated Node', wide: true, value: (item) => pod(item).status?.nominatedNodeName ?? '<none>' },
  { name: 'Readiness Gates', wide: true, value: gates },
];
