import type { Ec2Instance } from '../groups/ec2.ts';
import { type EndpointStatus, type EtcdCluster, type EtcdEndpoint, EtcdError } from './cluster.ts';
import type { EtcdContext } from './context.ts';
import { type EtcdGroup, instancesOf, type ListedInstance } from './groups.ts';
import { listSources } from './list-source.ts';
import { findHostMarks, findZoneMark } from './mark.ts';
import { clientUrl, instanceOfMember, memberHost } from './names.ts';
import type { ClusterObservation, EtcdInstance, EtcdObservation, InstancePresence } from './observation.ts';
import type { ZoneContent } from './zone.ts';

/** Reads everything that a decision about the zone needs. */
export async function observeEtcd(
  context: EtcdContext,
  groups: readonly EtcdGroup[],
  listed: readonly ListedInstance[] = instancesOf(groups),
): Promise<EtcdObservation> {
  const [zone, instances] = await Promise.all([readZone(context), describe(context, listed)]);
  const cluster = await askMembers(context, instances, zone);
  const others = await presenceOutsideGroups(context, { zone, instances, cluster });
  return {
    now: context.clock.now(),
    desiredMembers: groups.reduce((sum, { group }) => sum + group.desiredCapacity, 0),
    instances,
    others,
    zone,
    cluster,
  };
}

async function readZone({ zone, memory, settings }: EtcdContext): Promise<ZoneContent> {
  const known = memory.zone();
  if (known && !isForming(known, settings)) return known;
  const content = await zone.read(settings.naming.domain);
  memory.rememberZone(content);
  return content;
}

/** While a cluster forms, the mark decides that members start as new, and a person may declare it lost at any moment. */
function isForming({ records }: ZoneContent, { naming }: EtcdContext['settings']): boolean {
  const mark = findZoneMark(records, naming);
  return typeof mark === 'object' && mark.birth.kind === 'forming';
}

const describe = (
  { ec2 }: EtcdContext,
  listed: readonly ListedInstance[],
): Promise<readonly EtcdInstance[]> =>
  Promise.all(
    listed.map(async (one) => {
      const found = await ec2.describeInstance(one.instanceId);
      const isRunning = found?.state === 'running' || found?.state === 'pending';
      return {
        ...one,
        runs: isRunning,
        gone: isGone(found),
        launchedAt: found?.launchedAt,
        addresses: addressesOf(found),
      };
    }),
  );

const isGone = (found: Ec2Instance | undefined): boolean =>
  found?.state === 'terminated' || found?.state === 'shutting-down';

const isStopped = (found: Ec2Instance): boolean => found.state === 'stopped' || found.state === 'stopping';

/** Private addresses, IPv4 first. */
export const addressesOf = (found: Ec2Instance | undefined): readonly string[] =>
  [found?.privateIpAddress, found?.ipv6Address].filter((address) => address !== undefined);

/** The endpoint of a member, by address: Drover is about to change the names. */
export function endpointOf(
  { instanceId, addresses }: Pick<EtcdInstance, 'instanceId' | 'addresses'>,
  { settings: { naming } }: Pick<EtcdContext, 'settings'>,
): EtcdEndpoint | undefined {
  const [address] = addresses;
  if (address === undefined) return undefined;
  const host = address.includes(':') ? `[${address}]` : address;
  return { url: clientUrl(host, naming), serverName: memberHost(instanceId, naming) };
}

async function askMembers(
  context: EtcdContext,
  instances: readonly EtcdInstance[],
  zone: ZoneContent,
): Promise<ClusterObservation> {
  const { cluster } = context;
  if (!cluster) return { kind: 'not-asked' };
  const asked = instances.flatMap((instance) => {
    const endpoint = instance.runs ? endpointOf(instance, context) : undefined;
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
  const sources = listSources(statuses, findZoneMark(zone.records, context.settings.naming));
  const endpoints = asked.filter(({ instanceId }) => sources.has(instanceId)).map(({ endpoint }) => endpoint);
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
  return reasons.length > 0 ? reasons.join('; ') : 'no instance has an endpoint to ask';
}

/** What EC2 says about instances that have a member or a record, and are in no group. */
async function presenceOutsideGroups(
  { ec2, settings }: EtcdContext,
  observed: Pick<EtcdObservation, 'zone' | 'instances' | 'cluster'>,
): Promise<EtcdObservation['others']> {
  const list = observed.cluster.kind === 'asked' ? (observed.cluster.list?.members ?? []) : [];
  const members = list.flatMap((member) => instanceOfMember(member, settings.naming) ?? []);
  const inGroups = new Set(observed.instances.map(({ instanceId }) => instanceId));
  const ids = new Set([...members, ...findHostMarks(observed.zone.records, settings.naming).keys()]);
  const outside = [...ids].filter((id) => !inGroups.has(id));
  return new Map(
    await Promise.all(
      outside.map(async (id): Promise<[string, InstancePresence]> => {
        const found = await ec2.describeInstance(id);
        if (!found) return [id, 'unknown-to-ec2'];
        if (isGone(found)) return [id, 'gone'];
        return [id, isStopped(found) ? 'stopped' : 'running'];
      }),
    ),
  );
}
