import type { ErrorDetail, Update, UpdateType } from '@aws-sdk/client-eks';
import { eksErrors } from './errors.ts';
import type { EksWorld, Nodegroup, NodegroupUpdate } from './model.ts';

/** A node group takes one update at a time. */
export function assertActive({ status }: Nodegroup): void {
  if (status !== 'ACTIVE')
    throw eksErrors.inUse(`Nodegroup cannot be updated as it is currently not in Active State`);
}

/** Begins an update: the node group takes no other one until it ends. */
export function newUpdate(
  { clock, random }: EksWorld,
  nodegroup: Nodegroup,
  type: UpdateType,
  params: Readonly<Record<string, string>> = {},
): NodegroupUpdate {
  const update: NodegroupUpdate = {
    id: random.uuid(),
    type,
    createdAt: clock.now(),
    params,
    status: 'InProgress',
    errors: [],
  };
  nodegroup.status = 'UPDATING';
  nodegroup.updates.set(update.id, update);
  return update;
}

/** Ends it. One that fails rolls nothing back: nodes that were replaced stay. */
export function endUpdate(
  nodegroup: Nodegroup,
  update: NodegroupUpdate,
  errors: readonly ErrorDetail[] = [],
): void {
  update.status = errors.length > 0 ? 'Failed' : 'Successful';
  update.errors = errors;
  nodegroup.status = 'ACTIVE';
}

export const toUpdate = ({ id, type, createdAt, params, status, errors }: NodegroupUpdate): Update => ({
  id,
  type,
  status,
  createdAt: new Date(createdAt),
  params: Object.entries(params).map(([name, value]) => ({ type: name as 'Version', value })),
  errors: [...errors],
});
