import { canVote } from './cluster.ts';
import { findEtcdGroups, instancesOf } from './groups.ts';
import { addressesOf, endpointOf } from './look.ts';
import type { SnapshotSource } from './snapshots/keep-fresh.ts';
import type { EtcdWorld } from './world.ts';

/** A member that votes and serves with quorum, of the groups' instances; undefined where none does. */
export async function findHealthyMember(
  world: Pick<
    EtcdWorld,
    'autoScaling' | 'clock' | 'cluster' | 'ec2' | 'etcdHookName' | 'etcdLaunchHookName' | 'terms'
  >,
): Promise<SnapshotSource | undefined> {
  for (const { instanceId } of instancesOf(await findEtcdGroups(world))) {
    const found = await world.ec2.describeInstance(instanceId);
    if (found?.state !== 'running') continue;
    const endpoint = endpointOf({ instanceId, addresses: addressesOf(found) }, world);
    const status = endpoint && (await world.cluster?.status(endpoint));
    if (endpoint && canVote(status)) return { endpoint, clusterId: status.clusterId };
  }
  return undefined;
}
