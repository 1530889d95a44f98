import type { Ec2Instance } from '../lifecycle/group.ts';
import { canVote, type EndpointStatus, type EtcdCluster, type EtcdEndpoint, EtcdError } from './cluster.ts';
import { type EtcdGroup, instancesOf, type ListedInstance } from './groups.ts';
import { findHostMarks } from './mark.ts';
import { clientUrl, instanceOfMember, memberHost } from './names.ts';
import type { ClusterSight, EtcdInstance, EtcdSight, Whereabouts } from './sight.ts';
import type { EtcdWorld } from './world.ts';
import type { ZoneContent } from './zone.ts';

/** Reads everything that a decision about the zone rests on. */
export async function look(world: EtcdWorld, groups: readonly EtcdGroup[]): Promise<EtcdSight> {
  const [zone, instances] = await Promise.all([readZone(world), describe(world, instancesOf(groups))]);
  const cluster = await askMembers(world, instances);
  const others = await whereabouts(world, { zone, instances, cluster });
  return {
    now: world.clock.now(),
    desiredMembers: groups.reduce((sum, { group }) => sum + group.desiredCapacity, 0),
    instances,
    others,
    zone,
    cluster,
  };
}

async function readZone({ zone, memory, terms }: EtcdWorld): Promise<ZoneContent> {
  const known = memory.zone();
  if (known) return known;
  const content = await zone.read(terms.naming.domain);
  memory.rememberZone(content);
  return content;
}

const describe = ({ ec2 }: EtcdWorld, listed: readonly ListedInstance[]): Promise<readonly EtcdInstance[]> =>
  Promise.all(
    listed.map(async (one) => {
      const found = await ec2.describeInstance(one.instanceId);
      const isRunning = found?.state === 'running' || found?.state === 'pending';
      return { ...one, runs: isRunning, gone: isGone(found), addresses: addressesOf(found) };
    }),
  );

const isGone = (found: Ec2Instance | undefined): boolean =>
  found?.state === 'terminated' || found?.state === 'shutting-down';

/** Private addresses, IPv4 first. */
export const addressesOf = (found: Ec2Instance | undefined): readonly string[] =>
  [found?.privateIpAddress, found?.ipv6Address].filter((address) => address !== undefined);

/** Members are asked by address, for their names are what is about to change. */
export function endpointOf(
  { instanceId, addresses }: Pick<EtcdInstance, 'instanceId' | 'addresses'>,
  { terms: { naming } }: Pick<EtcdWorld, 'terms'>,
): EtcdEndpoint | undefined {
  const [address] = addresses;
  if (address === undefined) return undefined;
  const host = address.includes(':') ? `[${address}]` : address;
  return { url: clientUrl(host, naming), serverName: memberHost(instanceId, naming) };
}

async function askMembers(world: EtcdWorld, instances: readonly EtcdInstance[]): Promise<ClusterSight> {
  const { cluster } = world;
  if (!cluster) return { kind: 'not-asked' };
  const asked = instances.flatMap((instance) => {
    const endpoint = instance.runs ? endpointOf(instance, world) : undefined;
    return endpoint ? [{ instanceId: instance.instanceId, endpoint }] : [];
  });
  const statuses = new Map(
    await Promise.all(
      asked.map(
        async ({ instanceId, endpoint }): Promise<[string, EndpointStatus]> => [
          instanceId,
          await cluster.status(endpoint),
        ],
      ),
    ),
  );
  const endpoints = asked
    .filter(({ instanceId }) => canVote(statuses.get(instanceId)))
    .map(({ endpoint }) => endpoint);
  return { kind: 'asked', statuses, ...(await listMembers(cluster, endpoints, statuses)) };
}

async function listMembers(
  cluster: EtcdCluster,
  endpoints: readonly EtcdEndpoint[],
  statuses: ReadonlyMap<string, EndpointStatus>,
) {
  if (endpoints.length === 0) return { failure: whySilent(statuses) };
  try {
    return { list: await cluster.members(endpoints) };
  } catch (error) {
    if (error instanceof EtcdError) return { failure: error.message };
    throw error;
  }
}

function whySilent(statuses: ReadonlyMap<string, EndpointStatus>): string {
  const reasons = [...statuses].map(([instanceId, status]) =>
    status.kind === 'silent' ? `${instanceId}: ${status.message}` : `${instanceId}: no quorum`,
  );
  return reasons.length > 0 ? reasons.join('; ') : 'there is nobody to ask';
}

/** Where the instances are that are members or records and in no group: EC2 knows, or does not. */
async function whereabouts(
  { ec2, terms }: EtcdWorld,
  seen: Pick<EtcdSight, 'zone' | 'instances' | 'cluster'>,
): Promise<EtcdSight['others']> {
  const list = seen.cluster.kind === 'asked' ? (seen.cluster.list?.members ?? []) : [];
  const members = list.flatMap((member) => instanceOfMember(member, terms.naming) ?? []);
  const inGroups = new Set(seen.instances.map(({ instanceId }) => instanceId));
  const ids = new Set([...members, ...findHostMarks(seen.zone.records, terms.naming).keys()]);
  const outside = [...ids].filter((id) => !inGroups.has(id));
  return new Map(
    await Promise.all(
      outside.map(async (id): Promise<[string, Whereabouts]> => {
        const found = await ec2.describeInstance(id);
        if (!found) return [id, 'unknown-to-ec2'];
        return [id, isGone(found) ? 'gone' : 'running'];
      }),
    ),
  );
}
