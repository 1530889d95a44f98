import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { domain } from '../../../local/world/etcd/etcd-world.ts';
import { afterChanges } from '../../../shared/etcd/memory.ts';
import { planRecords } from '../../../shared/etcd/plan-records.ts';
import { type Publication, recordsOf } from '../../../shared/etcd/records.ts';
import type { DnsRecord } from '../../../shared/etcd/zone.ts';
import { foreignRecords, members, namings, zoneOf } from '../../support/etcd/arbitraries.ts';

const publications: fc.Arbitrary<Publication> = fc.record({
  naming: namings,
  clusterName: fc.constant('prod'),
  ttlSeconds: fc.constantFrom(10, 60),
  changedAt: fc.integer({ min: 1, max: 2_000_000_000 }),
  birth: fc.oneof(
    fc.constant({ kind: 'forming' as const, set: ['i-00000000000000001'] }),
    fc.constant({ kind: 'born' as const, clusterId: '9a3f' }),
    fc.constant({ kind: 'published' as const }),
  ),
  members,
});

const example: Publication = {
  naming: { domain, services: 'ssl' },
  clusterName: 'prod',
  ttlSeconds: 60,
  changedAt: 1,
  birth: { kind: 'born', clusterId: '9a3f' },
  members: [{ instanceId: 'i-0123456789abcdef0', addresses: ['10.0.0.1', 'fd00::1'], state: 'existing' }],
};

const sorted = (records: readonly DnsRecord[]) =>
  records.map((record) => JSON.stringify({ ...record, values: record.values.toSorted() })).toSorted();

describe('the records of a cluster', () => {
  it('consist of SRV sets, addresses of hosts and domain, and marks', () => {
    expect(
      recordsOf(example).map(({ type, name, values }) => `${type} ${name} ${values.join(' | ')}`),
    ).toEqual([
      `TXT _drover-etcd.${domain} v=drover1 | cluster=prod | birth=born | cluster-id=9a3f | changed=1 | srv=_etcd-server-ssl._tcp | srv=_etcd-client-ssl._tcp`,
      `SRV _etcd-server-ssl._tcp.${domain} 0 0 2380 i-0123456789abcdef0.${domain}`,
      `SRV _etcd-client-ssl._tcp.${domain} 0 0 2379 i-0123456789abcdef0.${domain}`,
      `A ${domain} 10.0.0.1`,
      `AAAA ${domain} fd00::1`,
      `A i-0123456789abcdef0.${domain} 10.0.0.1`,
      `AAAA i-0123456789abcdef0.${domain} fd00::1`,
      `TXT i-0123456789abcdef0.${domain} v=drover1;cluster=prod;state=existing;name=i-0123456789abcdef0`,
    ]);
  });

  it('contain the token of a birth only for new members', () => {
    const birth = { kind: 'forming', set: ['i-0123456789abcdef0'], token: 'drover-token' } as const;
    const hostMarkAs = (state: 'new' | 'existing') =>
      recordsOf({ ...example, birth, members: example.members.map((one) => ({ ...one, state })) }).at(-1)
        ?.values;
    expect(hostMarkAs('new')?.join()).toContain('drover-token');
    expect(hostMarkAs('existing')?.join()).not.toContain('drover-token');
  });

  it('have the suffix of a named service, with and without TLS', () => {
    const naming = { domain, services: 'both', serviceName: 'events' } as const;
    const names = recordsOf({ ...example, naming }).flatMap(({ type, name }) =>
      type === 'SRV' ? [name] : [],
    );
    expect(names).toEqual([
      `_etcd-server-ssl-events._tcp.${domain}`,
      `_etcd-client-ssl-events._tcp.${domain}`,
      `_etcd-client-events._tcp.${domain}`,
    ]);
  });
});

describe('planRecords', () => {
  const hostsOf = (publication: Publication): readonly DnsRecord[] =>
    recordsOf(publication).filter(({ name }) => name.startsWith('i-'));

  it('does not change hosts with the mark of another cluster', () => {
    const members = [{ instanceId: 'i-00000000000000009', addresses: ['10.0.0.9'], state: 'new' as const }];
    const others = hostsOf({ ...example, clusterName: 'other', members });
    const { changes } = planRecords(zoneOf([...recordsOf(example), ...others]), [], example);
    expect(sorted(changes.map(({ record }) => record))).toEqual(sorted(recordsOf(example)));
  });

  it('does not change an SRV set under the name of a host, because Drover creates none there', () => {
    const name = `i-0123456789abcdef0.${domain}`;
    const service = { name, type: 'SRV', ttlSeconds: 60, values: [`0 0 443 ${name}`] } as const;
    const { changes, foreign } = planRecords(zoneOf([...recordsOf(example), service]), [], example);
    expect(changes.map(({ record }) => record)).not.toContainEqual(service);
    expect(foreign).toContainEqual({ name, type: 'SRV' });
  });

  it('turns any published records into the desired ones, and leaves other records alone', () => {
    fc.assert(
      fc.property(publications, publications, foreignRecords, (before, after, others) => {
        const current = zoneOf([...recordsOf(before), ...others]);
        const { changes, conflicts } = planRecords(current, recordsOf(after), after);
        expect(conflicts).toEqual([]);
        const result = afterChanges(current, changes);
        expect(sorted(result.records)).toEqual(sorted([...recordsOf(after), ...others]));
        expect(planRecords(result, recordsOf(after), after).changes).toEqual([]);
      }),
    );
  });

  it('deletes exactly the current sets, so that a change in between fails the whole batch', () => {
    fc.assert(
      fc.property(publications, publications, (before, after) => {
        const standing = new Set(recordsOf(before).map((record) => JSON.stringify(record)));
        for (const { action, record } of planRecords(zoneOf(recordsOf(before)), recordsOf(after), after)
          .changes)
          if (action === 'delete') expect(standing).toContain(JSON.stringify(record));
      }),
    );
  });

  it('reports an unmarked record under a needed name, and changes nothing', () => {
    const old = {
      name: `_etcd-server-ssl._tcp.${domain}`,
      type: 'SRV',
      ttlSeconds: 60,
      values: ['0 0 2380 a'],
    } as const;
    const { changes, conflicts } = planRecords(zoneOf([old]), recordsOf(example), example);
    expect(changes).toEqual([]);
    expect(conflicts).toEqual([{ name: old.name, type: 'SRV', why: 'it does not have the mark of Drover' }]);
  });

  it('recognizes its sets by the hosts that they point to if the mark of the domain is lost', () => {
    const standing = recordsOf(example).filter(({ name }) => !name.startsWith('_drover-etcd'));
    const { changes, conflicts } = planRecords(zoneOf(standing), [], example);
    expect(conflicts).toEqual([]);
    expect(changes).toHaveLength(standing.length);
    const [srv] = standing.filter(({ type }) => type === 'SRV');
    if (!srv) throw new Error('there is a set');
    const mixed = { ...srv, values: [...srv.values, '0 0 2380 old.example.com'] };
    const others = [...standing.filter((record) => record !== srv), mixed];
    expect(planRecords(zoneOf(others), [], example).foreign).toEqual([{ name: srv.name, type: 'SRV' }]);
  });

  it('changes nothing in a domain with the mark of another cluster', () => {
    const theirs = recordsOf({ ...example, clusterName: 'test' });
    const { changes, conflicts } = planRecords(zoneOf(theirs), recordsOf(example), example);
    expect(changes).toEqual([]);
    expect(conflicts[0]).toEqual({
      name: `_drover-etcd.${domain}`,
      type: 'TXT',
      why: 'the mark of the domain belongs to cluster test',
    });
  });

  it('changes nothing in a domain with a mark that Drover did not write', () => {
    const name = `_drover-etcd.${domain}`;
    const theirs = { name, type: 'TXT', ttlSeconds: 60, values: ['v=spf1'] } as const;
    const { changes, conflicts } = planRecords(zoneOf([theirs]), recordsOf(example), example);
    expect(changes).toEqual([]);
    expect(conflicts[0]?.why).toBe('the mark of the domain belongs to something that Drover did not write');
  });

  it.each(['cluster=other', 'birth=published', 'cluster-id=beef'])(
    'changes nothing in a domain whose mark got a second value %s, wherever Route 53 lists it',
    (second) => {
      const zone = (values: readonly string[]) =>
        zoneOf(
          recordsOf(example).map((record) =>
            record.name === `_drover-etcd.${domain}` ? { ...record, values } : record,
          ),
        );
      const own = recordsOf(example).find(({ name }) => name === `_drover-etcd.${domain}`)?.values ?? [];
      for (const values of [
        [second, ...own],
        [...own, second],
      ]) {
        const { changes, conflicts } = planRecords(zone(values), recordsOf(example), example);
        expect(changes).toEqual([]);
        expect(conflicts[0]?.why).toBe(
          'the mark of the domain belongs to something that Drover did not write',
        );
      }
    },
  );

  it.each(['CNAME', 'A (alias)', 'A (weighted)'])('reports that a %s conflicts with our record', (type) => {
    const zone = { records: [], foreign: [{ name: domain, type }] };
    const { changes, conflicts } = planRecords(zone, recordsOf(example), example);
    expect(changes).toEqual([]);
    expect(conflicts).toEqual([{ name: domain, type, why: 'Route 53 allows no set of Drover beside it' }]);
  });

  it('reports the records of others', () => {
    const www = { name: `www.${domain}`, type: 'A', ttlSeconds: 60, values: ['10.0.0.9'] } as const;
    const zone = { records: [www], foreign: [{ name: `x.${domain}`, type: 'CNAME' }] };
    expect(planRecords(zone, recordsOf(example), example).foreign).toEqual([
      { name: www.name, type: 'A' },
      { name: `x.${domain}`, type: 'CNAME' },
    ]);
  });
});
