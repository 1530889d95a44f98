import type { EtcdSettings } from './decision.ts';
import {
  findHostMarks,
  formatHostMark,
  formatZoneMark,
  type HostMark,
  type MemberTrouble,
  tokenOf,
  type ZoneMark,
} from './mark.ts';
import { type EtcdNaming, instanceOfHost, markName, memberHost, srvServices } from './names.ts';
import type { EtcdObservation } from './observe.ts';
import type { DnsRecord } from './zone.ts';

/** A member as DNS should show it. */
export interface PublishedMember {
  readonly instanceId: string;
  /** IPv4 and IPv6 addresses; at least one. */
  readonly addresses: readonly string[];
  readonly state: HostMark['state'];
  readonly trouble?: MemberTrouble;
}

export interface Publication {
  readonly naming: EtcdNaming;
  readonly clusterName: string;
  readonly ttlSeconds: number;
  readonly birth: ZoneMark['birth'];
  /** Epoch seconds, for the mark. */
  readonly changedAt: number;
  readonly members: readonly PublishedMember[];
}

/**
 * Every record set of a cluster: the SRV sets that members and clients look for, the addresses of each host and of the
 * domain itself (all members; the name that SRV discovery wants in certificates), and the marks.
 */
export function recordsOf(publication: Publication): readonly DnsRecord[] {
  const { members, naming } = publication;
  const sets =
    members.length > 0 ? [...srvSets(publication), ...addressSets(publication, naming.domain, members)] : [];
  const hosts = members.flatMap((member) => hostSets(publication, member));
  return [markSet(publication), ...sets, ...hosts];
}

function markSet({ naming, clusterName, birth, members, ttlSeconds, changedAt }: Publication): DnsRecord {
  const labels = srvServices(naming).map(({ name }) => name.slice(0, -naming.domain.length - 1));
  const srvLabels = members.length > 0 ? labels : [];
  const values = formatZoneMark({ clusterName, birth, changedAt, srvLabels });
  return { name: markName(naming), type: 'TXT', ttlSeconds, values };
}

function srvSets({ naming, members, ttlSeconds }: Publication): readonly DnsRecord[] {
  return srvServices(naming).map(({ name, port }) => ({
    name,
    type: 'SRV',
    ttlSeconds,
    values: members.map(({ instanceId }) => `0 0 ${port} ${memberHost(instanceId, naming)}`).sort(),
  }));
}

function hostSets(publication: Publication, member: PublishedMember): readonly DnsRecord[] {
  const { naming, clusterName, ttlSeconds, birth } = publication;
  const { instanceId, state, trouble } = member;
  const name = memberHost(instanceId, naming);
  const token = state === 'new' ? tokenOf(birth) : undefined;
  const mark = { clusterName, instanceId, state, token, trouble };
  return [
    ...addressSets(publication, name, [member]),
    { name, type: 'TXT', ttlSeconds, values: [formatHostMark(mark)] },
  ];
}

function addressSets(
  { ttlSeconds }: Pick<Publication, 'ttlSeconds'>,
  name: string,
  members: readonly PublishedMember[],
): readonly DnsRecord[] {
  const all = members.flatMap(({ addresses }) => addresses);
  const sets = [
    { type: 'A' as const, values: all.filter((address) => !isIpv6(address)).sort() },
    { type: 'AAAA' as const, values: all.filter(isIpv6).sort() },
  ];
  return sets.filter(({ values }) => values.length > 0).map((set) => ({ name, ttlSeconds, ...set }));
}

const isIpv6 = (address: string): boolean => address.includes(':');

/** The members that DNS shows now. */
export function publishedMembers(
  { zone }: Pick<EtcdObservation, 'zone'>,
  { naming, clusterName }: Pick<EtcdSettings, 'naming' | 'clusterName'>,
): readonly PublishedMember[] {
  return [...findHostMarks(zone.records, naming).values()]
    .filter((mark) => mark.clusterName === clusterName)
    .map(({ instanceId, state, trouble }) => ({
      instanceId,
      state,
      addresses: addressesOf({ zone }, memberHost(instanceId, naming)),
      trouble,
    }));
}

/**
 * Every instance that the records of the domain name: by a mark, by an address or in an SRV set. Marks may be lost while the other
 * records still serve.
 */
export const instancesInRecords = (
  { records }: EtcdObservation['zone'],
  naming: Pick<EtcdNaming, 'domain'>,
): readonly string[] => {
  const hosts = records.flatMap(({ name, type, values }) => (type === 'SRV' ? values.map(hostOf) : [name]));
  return [...new Set(hosts.flatMap((host) => instanceOfHost(host, naming) ?? []))];
};

/** The host of an SRV value such as `0 0 2380 i-0123456789abcdef0.etcd.example.internal`. */
export const hostOf = (srvValue: string): string => (srvValue.split(' ').at(-1) ?? '').replace(/\.$/, '');

const addressesOf = ({ zone }: Pick<EtcdObservation, 'zone'>, host: string): readonly string[] =>
  zone.records
    .filter(({ name, type }) => name === host && (type === 'A' || type === 'AAAA'))
    .flatMap(({ values }) => values);
