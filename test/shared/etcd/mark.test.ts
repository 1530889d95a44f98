import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { domain } from '../../../local/world/etcd/etcd-world.ts';
import {
  findHostMarks,
  findZoneMark,
  formatHostMark,
  formatZoneMark,
  readHostMark,
  readZoneMark,
  type ZoneMark,
} from '../../../shared/etcd/mark.ts';
import type { DnsRecord } from '../../../shared/etcd/zone.ts';
import { instanceIds, troubles } from '../../support/etcd/arbitraries.ts';
import { id } from '../../support/etcd/observations.ts';

const marks: fc.Arbitrary<ZoneMark> = fc.record({
  clusterName: fc.constantFrom('prod', 'a.b-c_d'),
  changedAt: fc.integer({ min: 0, max: 4_000_000_000 }),
  srvLabels: fc.subarray(['_etcd-server-ssl._tcp', '_etcd-client._tcp']),
  birth: fc.oneof(
    fc.record(
      {
        kind: fc.constant('forming' as const),
        set: fc.uniqueArray(instanceIds, { maxLength: 9 }),
        token: fc.constant('drover-20261121T200544Z'),
      },
      { requiredKeys: ['kind', 'set'] },
    ),
    fc.record({ kind: fc.constant('born' as const), clusterId: fc.constantFrom('9a3f', 'ffffffffffffffff') }),
    fc.record(
      { kind: fc.constant('published' as const), token: fc.constant('drover-1') },
      { requiredKeys: ['kind'] },
    ),
  ),
});

describe('marks', () => {
  it('of a domain are read back as written, in any order', () => {
    fc.assert(
      fc.property(marks, (mark) => {
        const values = formatZoneMark(mark);
        expect(readZoneMark(values)).toEqual(mark);
        const read = readZoneMark(values.toReversed());
        expect(read).toMatchObject({ clusterName: mark.clusterName, changedAt: mark.changedAt });
        expect(values.every((value) => value.length <= 255)).toBe(true);
      }),
    );
  });

  it('of a host are read back as written', () => {
    const hosts = fc.record(
      {
        clusterName: fc.constantFrom('prod', 'x'),
        instanceId: instanceIds,
        state: fc.constantFrom('new' as const, 'existing' as const),
        token: fc.constant('drover-20261121T200544Z'),
        trouble: troubles,
      },
      { requiredKeys: ['clusterName', 'instanceId', 'state'] },
    );
    fc.assert(
      fc.property(hosts, (mark) => {
        expect(readHostMark([formatHostMark(mark)])).toEqual(mark);
      }),
    );
  });

  it.each([
    [[]],
    [['v=spf1 -all']],
    [['v=drover1']],
    [['v=drover1', 'cluster=prod', 'birth=born']],
    [['v=drover2', 'cluster=prod', 'birth=published']],
    [['cluster=prod', 'birth=published']],
  ])('are not read from other TXT sets: %j', (values) => {
    expect(readZoneMark(values)).toBeUndefined();
    expect(readHostMark(values)).toBeUndefined();
  });

  it.each([
    [['v=drover1;cluster=prod;state=new']],
    [['v=drover1;cluster=prod;state=newer;name=i-00000000000000001']],
    [['v=drover1;state=new;name=i-00000000000000001']],
    [['cluster=prod;state=new;name=i-00000000000000001']],
    [['v=drover1', 'cluster=prod', 'state=new', 'name=i-00000000000000001']],
  ])('of a host are not read if a field is missing: %j', (values) => {
    expect(readHostMark(values)).toBeUndefined();
  });

  it('of a domain are not read if a second value contradicts one of theirs, whatever the order', () => {
    const single = fc.constantFrom('v', 'cluster', 'birth', 'cluster-id', 'token', 'changed');
    fc.assert(
      fc.property(marks, single, fc.nat({ max: 20 }), (mark, key, place) => {
        const values = formatZoneMark(mark);
        fc.pre(values.some((value) => value.startsWith(`${key}=`)));
        const doubled = values.toSpliced(place % (values.length + 1), 0, `${key}=other`);
        expect(readZoneMark(doubled)).toBeUndefined();
      }),
    );
  });

  it.each(['v=drover2', 'cluster=other', 'state=existing', 'name=i-0000000000000000f'])(
    'of a host are not read if a second value contradicts one of theirs: %s',
    (second) => {
      const mark = formatHostMark({ clusterName: 'prod', instanceId: id(1), state: 'new' });
      expect(readHostMark([`${mark};${second}`])).toBeUndefined();
      expect(readHostMark([`${second};${mark}`])).toBeUndefined();
    },
  );

  it('of a host count under its own name only', () => {
    const value = formatHostMark({ clusterName: 'prod', instanceId: id(1), state: 'new' });
    const record = (name: string, type: 'A' | 'TXT') => ({ name, type, ttlSeconds: 60, values: [value] });
    const host = `${id(1)}.${domain}`;
    const read = (...records: readonly DnsRecord[]) => [...findHostMarks(records, { domain }).keys()];
    expect(read(record(host, 'TXT'))).toEqual([id(1)]);
    expect(read(record(host, 'A'), record(`www.${domain}`, 'TXT'), record(`${id(1)}.x`, 'TXT'))).toEqual([]);
  });

  it('of a domain are found in its TXT set, and foreign if Drover did not write it', () => {
    const mark = { clusterName: 'prod', birth: { kind: 'published' }, changedAt: 7, srvLabels: [] } as const;
    const found = (values: readonly string[], type: 'A' | 'TXT' = 'TXT', name = `_drover-etcd.${domain}`) =>
      findZoneMark([{ name, type, ttlSeconds: 60, values }], { domain });
    expect(found(formatZoneMark(mark))).toEqual(mark);
    expect(found(['v=spf1'])).toBe('foreign');
    expect(found(formatZoneMark(mark), 'A')).toBeUndefined();
    expect(found(formatZoneMark(mark), 'TXT', domain)).toBeUndefined();
  });

  it('of a domain without a readable time count as long in sync', () => {
    const values = ['v=drover1', 'cluster=prod', 'birth=published'];
    expect(readZoneMark(values)?.changedAt).toBe(0);
    expect(readZoneMark([...values, 'changed=yesterday'])?.changedAt).toBe(0);
  });
});
