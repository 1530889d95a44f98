import type { DaemonSet, Deployment, ReplicaSet, StatefulSet } from 'kubernetes-types/apps/v1.d.ts';
import type { PodDisruptionBudget } from 'kubernetes-types/policy/v1.d.ts';
import type { Item } from '../api/list.ts';
import { ageColumn, type Column, nameColumn, pairs } from './column.ts';

const replicated = (item: Item): Deployment => item as Item & Deployment;
const replicaSet = (item: Item): ReplicaSet => item as Item & ReplicaSet;
const statefulSet = (item: Item): StatefulSet => item as Item & StatefulSet;
const daemonSet = (item: Item): DaemonSet => item as Item & DaemonSet;
const budget = (item: Item): PodDisruptionBudget => item as Item & PodDisruptionBudget;

const templateColumns: readonly Column[] = [
  {
    name: 'Containers',
    wide: true,
    value: (item) =>
      (replicated(item).spec?.template.spec?.containers ?? []).map(({ name }) => name).join(','),
  },
  {
    name: 'Images',
    wide: true,
    value: (item) =>
      (replicated(item).spec?.template.spec?.containers ?? []).map(({ image }) => image ?? '').join(','),
  },
];

const selectorColumn: Column = {
  name: 'Selector',
  wide: true,
  value: (item) => pairs(replicated(item).spec?.selector.matchLabels),
};

const number = (name: string, value: (item: Item) => number | undefined): Column => ({
  name,
  type: 'integer',
  value: (item) => value(item) ?? 0,
});

export const deploymentColumns: readonly Column[] = [
  nameColumn,
  {
    name: 'Ready',
    value: (item) => `${replicated(item).status?.readyReplicas ?? 0}/${replicated(item).spec?.replicas ?? 0}`,
  },
  number('Up-to-date', (item) => replicated(item).status?.updatedReplicas),
  number('Available', (item) => replicated(item).status?.availableReplicas),
  ageColumn,
  ...templateColumns,
  selectorColumn,
];

export const replicaSetColumns: readonly Column[] = [
  nameColumn,
  number('Desired', (item) => replicaSet(item).spec?.replicas),
  number('Current', (item) => replicaSet(item).status?.replicas),
  number('Ready', (item) => replicaSet(item).status?.readyReplicas),
  ageColumn,
  ...templateColumns,
  selectorColumn,
];

export const statefulSetColumns: readonly Column[] = [
  nameColumn,
  {
    name: 'Ready',
    value: (item) =>
      `${statefulSet(item).status?.readyReplicas ?? 0}/${statefulSet(item).spec?.replicas ?? 0}`,
  },
  ageColumn,
  ...templateColumns,
];

export const daemonSetColumns: readonly Column[] = [
  nameColumn,
  number('Desired', (item) => daemonSet(item).status?.desiredNumberScheduled),
  number('Current', (item) => daemonSet(item).status?.currentNumberScheduled),
  number('Ready', (item) => daemonSet(item).status?.numberReady),
  number('Up-to-date', (item) => daemonSet(item).status?.updatedNumberScheduled),
  number('Available', (item) => daemonSet(item).status?.numberAvailable),
  { name: 'Node Selector', value: (item) => pairs(daemonSet(item).spec?.template.spec?.nodeSelector) },
  ageColumn,
  ...templateColumns,
  selectorColumn,
];

export const budgetColumns: readonly Column[] = [
  nameColumn,
  { name: 'Min Available', value: (item) => String(budget(item).spec?.minAvailable ?? 'N/A') },
  { name: 'Max Unavailable', value: (item) => String(budget(item).spec?.maxUnavailable ?? 'N/A') },
  number('Allowed Disruptions', (item) => budget(item).status?.disruptionsAllowed),
  ageColumn,
];
