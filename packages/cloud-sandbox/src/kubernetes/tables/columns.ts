import { accessColumns } from './access-columns.ts';
import { clusterColumns } from './cluster-columns.ts';
import { ageColumn, type Column, nameColumn } from './column.ts';
import { networkColumns } from './network-columns.ts';
import { nodeColumns } from './node-columns.ts';
import { podColumns } from './pod-columns.ts';
import { storageColumns } from './storage-columns.ts';
import {
  budgetColumns,
  daemonSetColumns,
  deploymentColumns,
  replicaSetColumns,
  statefulSetColumns,
} from './workload-columns.ts';

const byResource: Readonly<Record<string, readonly Column[]>> = {
  ...clusterColumns,
  ...accessColumns,
  ...networkColumns,
  ...storageColumns,
  pods: podColumns,
  nodes: nodeColumns,
  'deployments.apps': deploymentColumns,
  'replicasets.apps': replicaSetColumns,
  'statefulsets.apps': statefulSetColumns,
  'daemonsets.apps': daemonSetColumns,
  'poddisruptionbudgets.policy': budgetColumns,
};

/** The columns of a resource; of one without its own: name and age. */
export function columnsOf(resource: string): readonly Column[] {
  return byResource[resource] ?? [nameColumn, ageColumn];
}
