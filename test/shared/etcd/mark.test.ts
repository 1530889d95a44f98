import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  formatHostMark,
  formatZoneMark,
  readHostMark,
  readZoneMark,
  type ZoneMark,
} from '../../../shared/etcd/mark.ts';
import { instanceIds } from '../../support/etcd/arbitraries.ts';

const marks: fc.Arbitrary<ZoneMark> = fc.record({
  clusterName: fc.constantFrom('prod', 'a.b-c_d'),
  changedAt: fc.integer({ min: 0, max: 4_000_000_000 }),
  srvLabels: fc.subarray(['_etcd-server-ssl._tcp', '_etcd-client._tcp']),
  birth: fc.oneof(
    fc.record({ kind: fc.constant('forming' as const), set: fc.uniqueArray(instanceIds, { maxLength: 9 }) }),
    fc.record({ kind: fc.constant('born' as const), clusterId: fc.constantFrom('9a3f', 'ffffffffffffffff') }),
    fc.record({ kind: fc.constant('published' as const) }),
  ),
});

describe('marks', () => {
  it('of a domain are read as they were written, in whatever order DNS has them', () => {
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

  it('of a host are read as they were written', () => {
    const hosts = fc.record(
      {
        clusterName: fc.constantFrom('prod', 'x'),
        instanceId: instanceIds,
        state: fc.constantFrom('new' as const, 'existing' as const),
        missingSince: fc.integer({ min: 0, max: 4_000_000_000 }),
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
  ])('that Drover has not written are none: %j', (values) => {
    expect(readZoneMark(values)).toBeUndefined();
    expect(readHostMark(values)).toBeUndefined();
  });
});
