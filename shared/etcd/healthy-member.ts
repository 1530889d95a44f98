import { findEtcdGroups, instancesOf } from './groups.ts';
import { endpointOf } from './look.ts';
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
    const addresses = [found?.privateIpAddress, found?.ipv6Address].filter(
      (address) => address !== undefined,
    );
    const endpoint = found?.state === 'running' ? endpointOf({ instanceId, addresses }, world) : undefined;
    const status = endpoint && (await world.cluster?.status(endpoint));
    if (endpoint && status?.kind === 'answers' && status.healthy && !status.isLearner)
      return { endpoint, clusterId: status.clusterId };
  }
  return undefined;
}
