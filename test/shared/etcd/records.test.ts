import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { publishedMembers, recordsOf } from '../../../shared/etcd/records.ts';
import { foreignRecords, members, zoneOf } from '../../support/etcd/arbitraries.ts';
import { settings } from '../../support/etcd/observations.ts';

const bornWith = (published: Parameters<typeof recordsOf>[0]['members']) =>
  recordsOf({ ...settings, birth: { kind: 'born', clusterId: '9a3f' }, changedAt: 1, members: published });

describe('the members that DNS shows', () => {
  it('are read back as published, whatever else is in the zone', () => {
    fc.assert(
      fc.property(members, foreignRecords, (published, foreign) => {
        const zone = zoneOf([...foreign, ...bornWith(published)]);
        expect(publishedMembers({ zone }, settings)).toEqual(published);
      }),
    );
  });

  it('of another cluster are left out', () => {
    fc.assert(
      fc.property(members, (published) => {
        const zone = zoneOf(bornWith(published));
        expect(publishedMembers({ zone }, { ...settings, clusterName: 'test' })).toEqual([]);
      }),
    );
  });
});
