import {
  DescribeUpdateCommand,
  type EKSClient,
  type ErrorDetail,
  paginateListUpdates,
} from '@aws-sdk/client-eks';
import { required } from '../../../shared/aws/errors.ts';
import { inParts } from '../../../shared/base/batched.ts';
import type { EksNodegroup } from '../../../shared/groups/group.ts';

/** An update of a node group, as EKS describes it. */
export interface NodegroupUpdate {
  readonly id: string;
  readonly status: string;
  /** What it changes: `VersionUpdate` or `ConfigUpdate`. */
  readonly type: string;
  /** Epoch milliseconds. */
  readonly createdAt: number;
  /** What was asked for, such as `ReleaseVersion 1.34.2-20261101`. */
  readonly params: readonly string[];
  readonly errors: readonly ErrorDetail[];
}

/** @throws the error of EKS. */
export async function readUpdate(
  eks: EKSClient,
  { eksClusterName, nodegroupName }: EksNodegroup,
  updateId: string,
): Promise<NodegroupUpdate> {
  const { update, $metadata } = await eks.send(
    new DescribeUpdateCommand({ name: eksClusterName, nodegroupName, updateId }),
  );
  const {
    status = 'InProgress',
    type = 'VersionUpdate',
    createdAt,
    params = [],
    errors = [],
  } = required(update, { name: 'update', $metadata });
  return {
    id: updateId,
    status,
    type,
    createdAt: createdAt?.getTime() ?? 0,
    params: params.map((param) => `${param.type} ${param.value}`),
    errors,
  };
}

const atOnce = 5;

/**
 * The update of a node group that is in progress, or else the newest one; undefined if there is none. EKS keeps the updates of months, and its
 * reference names no order of them, so all are read.
 *
 * @throws the error of EKS.
 */
export async function readNewestUpdate(
  eks: EKSClient,
  nodegroup: EksNodegroup,
): Promise<NodegroupUpdate | undefined> {
  const { eksClusterName: name, nodegroupName } = nodegroup;
  const ids: string[] = [];
  for await (const { updateIds = [] } of paginateListUpdates({ client: eks }, { name, nodegroupName }))
    ids.push(...updateIds);
  const results = await inParts(ids, atOnce, (id) => readUpdate(eks, nodegroup, id));
  const failure = results.find((result) => result.status === 'rejected');
  if (failure) throw failure.reason;
  const updates = results.flatMap((result) => (result.status === 'fulfilled' ? result.value : []));
  return (
    updates.find(({ status }) => status === 'InProgress') ??
    updates.toSorted((one, other) => other.createdAt - one.createdAt)[0]
  );
}

/** An error of an update in words. */
export const describeError = ({
  errorCode = 'Unknown',
  errorMessage = '',
  resourceIds = [],
}: ErrorDetail): string =>
  `${errorCode}: ${errorMessage}${resourceIds.length > 0 ? ` (${resourceIds.join(', ')})` : ''}`;
