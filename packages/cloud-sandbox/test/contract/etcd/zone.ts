import type { ServedZone } from '../../../src/aws/route53/route53.ts';
import type { TestMember } from './world.ts';

/** A record set of the zone. Its name is in lower case, without a trailing dot. */
export interface DnsRecord {
  readonly name: string;
  readonly type: 'A' | 'SRV';
  readonly ttlSeconds: number;
  readonly values: readonly string[];
}

/** The domain that members get as `--discovery-srv`. */
export const discoveryDomain = 'etcd.test';

const hostOf = ({ endpoint }: TestMember): string => endpoint.serverName;

/** The addresses of some members, and the set of those that peers shall find. */
export function recordsOf(
  inTheSet: readonly TestMember[],
  {
    hosts = inTheSet,
    service = '_etcd-server-ssl',
  }: { hosts?: readonly TestMember[]; service?: string } = {},
): readonly DnsRecord[] {
  const ttlSeconds = 1;
  const set: DnsRecord = {
    name: `${service}._tcp.${discoveryDomain}`,
    type: 'SRV',
    ttlSeconds,
    values: inTheSet.map((member) => `0 0 2380 ${hostOf(member)}`),
  };
  const addresses = hosts.map((member) => ({
    name: hostOf(member),
    type: 'A' as const,
    ttlSeconds,
    values: [new URL(member.endpoint.url).hostname],
  }));
  return [set, ...addresses];
}

/** The records as a name server has them. */
export function zoneOf(records: readonly DnsRecord[]): ServedZone {
  const sets = records.map((record) => ({ ...record, name: `${record.name}.`, routing: {} }));
  const byKey = new Map(sets.map((set) => [`${set.name} ${set.type} `, set]));
  return { name: `${discoveryDomain}.`, isPrivate: true, sets: byKey };
}
