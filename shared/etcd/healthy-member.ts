import { canVote } from './cluster.ts';
import type { EtcdContext } from './context.ts';
import { findEtcdGroups, instancesOf } from './groups.ts';
import { addressesOf, endpointOf } from './observe.ts';
import type { SnapshotSource } from './snapshots/keep-fresh.ts';

/** Finds an instance of the groups whose member votes and has quorum; undefined if none does. */
export async function findHealthyMember(
  context: Pick<
    EtcdContext,
    'autoScaling' | 'clock' | 'cluster' | 'ec2' | 'etcdHookName' | 'etcdLaunchHookName' | 'settings'
  >,
): Promise<SnapshotSource | undefined> {
  for (const { instanceId } of instancesOf(await findEtcdGroups(context))) {
    const found = await context.ec2.describeInstance(instanceId);
    if (found?.state !== 'running') continue;
    const endpoint = endpointOf({ instanceId, addresses: addressesOf(found) }, context);
    const status = endpoint && (await context.cluster?.status(endpoint));
    if (endpoint && canVote(status)) return { endpoint, clusterId: status.clusterId };
  }
  return undefined;
}
