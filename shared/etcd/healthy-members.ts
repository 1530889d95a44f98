import { canVote } from './cluster.ts';
import type { EtcdContext } from './context.ts';
import { findEtcdGroups, instancesOf } from './groups.ts';
import { addressesOf, endpointOf } from './observe.ts';
import type { SnapshotSource } from './snapshots/keep-fresh.ts';

type Context = Pick<
  EtcdContext,
  'autoScaling' | 'clock' | 'cluster' | 'ec2' | 'etcdHookName' | 'etcdLaunchHookName' | 'settings'
>;

export interface HealthyMembers {
  readonly healthy: readonly SnapshotSource[];
  /** The number of instances that the groups list, whether an etcd answers there or not. */
  readonly instances: number;
}

/**
 * Finds the instances of the groups whose members vote and have quorum. Of several clusters it is the one with the most of them: an
 * etcd that something else started on one instance must not hide the members.
 */
export async function findHealthyMembers(context: Context): Promise<HealthyMembers> {
  const listed = instancesOf(await findEtcdGroups(context));
  const found = await Promise.all(listed.map(({ instanceId }) => sourceOn(context, instanceId)));
  const clusters = Map.groupBy(
    found.filter((one) => one !== undefined),
    ({ clusterId }) => clusterId,
  );
  const [largest = []] = [...clusters.values()].toSorted((one, other) => other.length - one.length);
  return { healthy: largest, instances: listed.length };
}

async function sourceOn(context: Context, instanceId: string): Promise<SnapshotSource | undefined> {
  const found = await context.ec2.describeInstance(instanceId);
  if (found?.state !== 'running') return undefined;
  const endpoint = endpointOf({ instanceId, addresses: addressesOf(found) }, context);
  const status = endpoint && (await context.cluster?.status(endpoint));
  return endpoint && canVote(status)
    ? { endpoint, clusterId: status.clusterId, revision: status.revision }
    : undefined;
}
