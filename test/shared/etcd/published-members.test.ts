import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { standingMembers } from '../../../shared/etcd/published-members.ts';
import { recordsOf } from '../../../shared/etcd/records.ts';
import { foreignRecords, members, zoneOf } from '../../support/etcd/arbitraries.ts';
import { terms } from '../../support/etcd/sights.ts';

const bornWith = (published: Parameters<typeof recordsOf>[0]['members']) =>
  recordsOf({ ...terms, birth: { kind: 'born', clusterId: '9a3f' }, changedAt: 1, members: published });

describe('the members that DNS shows', () => {
  it('are read as they were published, whatever else is in the zone', () => {
    fc.assert(
      fc.property(members, foreignRecords, (published, foreign) => {
        const zone = zoneOf([...foreign, ...bornWith(published)]);
        expect(standingMembers({ zone }, terms)).toEqual(published);
      }),
    );
  });

  it('of another cluster are none of ours', () => {
    fc.assert(
      fc.property(members, (published) => {
        const zone = zoneOf(bornWith(published));
        expect(standingMembers({ zone }, { ...terms, clusterName: 'test' })).toEqual([]);
      }),
    );
  });
});
