import type { ResourceRecordSet } from '@aws-sdk/client-route-53';
import type { DnsRecord, DnsRecordType, ForeignRecord } from '../etcd/zone.ts';
import { readName, readText, writeText } from './dns-text.ts';

type Read =
  | { readonly kind: 'record'; readonly record: DnsRecord }
  | { readonly kind: 'foreign'; readonly foreign: ForeignRecord };

const ourTypes: readonly string[] = ['A', 'AAAA', 'SRV', 'TXT'] satisfies readonly DnsRecordType[];

/** A record set as Route 53 lists it; one that is no plain set of a type of ours is only named. */
export function readRecordSet(set: ResourceRecordSet): Read {
  const { Type: type = '', TTL: ttlSeconds } = set;
  const name = readName(set.Name ?? '');
  const kind = routingOf(set);
  if (kind !== undefined || ttlSeconds === undefined || !set.ResourceRecords || !ourTypes.includes(type))
    return { kind: 'foreign', foreign: { name, type: kind ? `${type} (${kind})` : type } };
  const values = valuesOf(set).map((value) => (type === 'TXT' ? readText(value) : value));
  return { kind: 'record', record: { name, type: type as DnsRecordType, ttlSeconds, values } };
}

function routingOf(set: ResourceRecordSet): string | undefined {
  if (set.AliasTarget) return 'alias';
  if (set.TrafficPolicyInstanceId !== undefined) return 'traffic policy';
  if (set.SetIdentifier !== undefined) return 'routing policy';
  return set.HealthCheckId === undefined ? undefined : 'health check';
}

export const valuesOf = ({ ResourceRecords }: ResourceRecordSet): readonly string[] =>
  ResourceRecords?.map(({ Value = '' }) => Value) ?? [];

/** A record set as Route 53 takes it. */
export const writeRecordSet = ({ name, type, ttlSeconds, values }: DnsRecord): ResourceRecordSet => ({
  Name: name,
  Type: type,
  TTL: ttlSeconds,
  ResourceRecords: values.map((value) => ({ Value: type === 'TXT' ? writeText(value) : value })),
});
