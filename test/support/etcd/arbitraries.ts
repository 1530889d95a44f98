import * as fc from 'fast-check';
import { domain } from '../../../local/world/etcd/etcd-world.ts';
import { type MemberTrouble, memberTroubles } from '../../../shared/etcd/mark.ts';
import type { EtcdNaming } from '../../../shared/etcd/names.ts';
import type { PublishedMember } from '../../../shared/etcd/records.ts';
import type { DnsRecord, ZoneContent } from '../../../shared/etcd/zone.ts';

export const instanceIds: fc.Arbitrary<string> = fc
  .integer({ min: 0, max: 0xffff_ffff })
  .map((number) => `i-0${number.toString(16).padStart(16, '0')}`);

export const namings: fc.Arbitrary<EtcdNaming> = fc.record(
  {
    domain: fc.constant(domain),
    services: fc.constantFrom('ssl', 'plain', 'both'),
    serviceName: fc.constantFrom('events', 'main'),
  },
  { requiredKeys: ['domain', 'services'] },
);

export const troubles: fc.Arbitrary<MemberTrouble> = fc.record({
  kind: fc.constantFrom(...memberTroubles),
  since: fc.integer({ min: 0, max: 4_000_000_000 }),
});

const addresses = fc.oneof(
  fc.ipV4().map((address) => [address]),
  fc.tuple(fc.ipV4(), fc.constantFrom('fd00::1', 'fd00::2')),
);

export const members: fc.Arbitrary<readonly PublishedMember[]> = fc.uniqueArray(
  fc.record(
    {
      instanceId: instanceIds,
      addresses,
      state: fc.constantFrom('new', 'existing'),
      trouble: troubles,
    },
    { requiredKeys: ['instanceId', 'addresses', 'state'] },
  ),
  { maxLength: 7, selector: ({ instanceId }) => instanceId },
);

/** Records of others in the same zone, some with names close to ours. */
export const foreignRecords: fc.Arbitrary<readonly DnsRecord[]> = fc.uniqueArray(
  fc.record({
    name: fc.constantFrom(
      `www.${domain}`,
      `i-0.${domain}`,
      `_etcd._tcp.${domain}`,
      `a.b.${domain}`,
      `mail.${domain}`,
    ),
    type: fc.constantFrom('A', 'AAAA', 'TXT'),
    ttlSeconds: fc.integer({ min: 1, max: 300 }),
    values: fc.array(fc.ipV4(), { minLength: 1, maxLength: 2 }),
  }),
  { selector: ({ name, type }) => `${type} ${name}` },
);

export const zoneOf = (records: readonly DnsRecord[]): ZoneContent => ({ records, foreign: [] });
