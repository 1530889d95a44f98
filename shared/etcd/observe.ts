import type { Ec2Instance } from '../groups/ec2.ts';
import type { LifecycleHook } from '../groups/group.ts';
import {
  type EndpointStatus,
  type EtcdCluster,
  type EtcdEndpoint,
  EtcdError,
  type MemberList,
} from './cluster.ts';
import type { EtcdContext } from './context.ts';
import { type EtcdGroup, instancesOf, type ListedInstance } from './groups.ts';
import { findZoneMark } from './mark.ts';
import { clientUrl, instanceOfMember, memberHost } from './names.ts';
import { instancesInRecords } from './records.ts';
import { listOf, listSources } from './statuses.ts';
import type { ZoneContent } from './zone.ts';

/** An instance of an etcd group, as a pass observes it. */
export interface EtcdInstance {
  readonly instanceId: string;
  readonly autoScalingGroupName: string;
  /**
   * - `arriving`: launched, not in service yet;
   * - `serving`: in service or in standby;
   * - `leaving`: terminating, or already terminated.
   */
  readonly phase: 'arriving' | 'serving' | 'leaving';
  /** Our hook that it waits on; undefined if the group has none or the instance is not in a wait state. */
  readonly waitsOn?: LifecycleHook;
  /** It leaves, and none of our hooks holds it: it may be gone at any moment. */
  readonly unheld?: true;
  /** An instance refresh has just replaced its root volume, and with it the data of a member that was not removed. */
  readonly emptied?: true;
  /** Its group is a control plane, so an API server on it reads only its own member. */
  readonly besideApiServer?: true;
  /** It leaves, and our hook will hold it: until then its load balancer lets connections end. */
  readonly isBeingDeregistered?: true;
  /** It is running or pending in EC2. */
  readonly runs: boolean;
  /** It is terminated or shutting down in EC2, so it does not come back. */
  readonly gone: boolean;
  /** Epoch milliseconds; undefined if EC2 does not know the instance yet. */
  readonly launchedAt?: number;
  /** Private addresses, IPv4 first; empty until EC2 has assigned one. */
  readonly addresses: readonly string[];
}

/** What EC2 reports about an instance that has a member or a record, but is in no etcd group. */
export type InstancePresence = 'running' | 'stopped' | 'gone' | 'unknown-to-ec2';

/** What the members report; `not-asked` if this deployment cannot reach etcd. */
export type ClusterObservation =
  | { readonly kind: 'not-asked' }
  | {
      readonly kind: 'asked';
      /** By instance. */
      readonly statuses: ReadonlyMap<string, EndpointStatus>;
      /** Undefined if no member has quorum. */
      readonly list?: MemberList;
      /** Why there is no list. */
      readonly failure?: string;
    };

/** Everything that a pass reads before it decides. */
export interface EtcdObservation {
  /** Epoch milliseconds. */
  readonly now: number;
  /** The sum of the groups' desired capacities. */
  readonly desiredMembers: number;
  readonly instances: readonly EtcdInstance[];
  /** Instances of members and hosts that are in no etcd group. */
  readonly others: ReadonlyMap<string, InstancePresence>;
  readonly zone: ZoneContent;
  readonly cluster: ClusterObservation;
}

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

/** While a cluster forms, members start as new because of the mark, and an operator may declare the cluster lost at any moment. */
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

/** The endpoint of a member, by address, because Drover is about to change the names. */
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

/** What EC2 reports about instances that have a member or a record, but are in no group. */
async function presenceOutsideGroups(
  { ec2, settings }: EtcdContext,
  observed: Pick<EtcdObservation, 'zone' | 'instances' | 'cluster'>,
): Promise<EtcdObservation['others']> {
  const list = listOf(observed.cluster)?.members ?? [];
  const members = list.flatMap((member) => instanceOfMember(member, settings.naming) ?? []);
  const inGroups = new Set(observed.instances.map(({ instanceId }) => instanceId));
  const ids = new Set([...members, ...instancesInRecords(observed.zone, settings.naming)]);
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
