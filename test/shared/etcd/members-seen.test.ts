import { describe, expect, it } from 'vitest';
import { seeMembers } from '../../../shared/etcd/members-seen.ts';
import { recordsOf } from '../../../shared/etcd/records.ts';
import { zoneOf } from '../../support/etcd/arbitraries.ts';
import { answers, id, instance, member, sightOf, terms } from '../../support/etcd/sights.ts';

const sight = sightOf({
  instances: [instance(1)],
  statuses: { 1: answers() },
  members: [],
  others: new Map([
    [id(2), 'running'],
    [id(3), 'gone'],
    [id(4), 'unknown-to-ec2'],
  ]),
});

describe('a member', () => {
  it('whose instance was detached and runs stays', () => {
    expect(seeMembers([member(2)], sight, terms)).toMatchObject([{ instanceId: id(2), fate: 'stays' }]);
  });

  it('whose instance EC2 has terminated is gone', () => {
    expect(seeMembers([member(3)], sight, terms)).toMatchObject([{ fate: 'gone', healthy: false }]);
  });

  it.each([
    [299, 'missing'],
    [300, 'gone'],
  ])('whose instance EC2 has not known for %i seconds is %s', (seconds, fate) => {
    const addresses = ['10.0.0.4'];
    const missingSince = 10_000 - seconds;
    const records = recordsOf({
      ...terms,
      birth: { kind: 'born', clusterId: '9a3f' },
      changedAt: 1,
      members: [{ instanceId: id(4), addresses, state: 'existing', missingSince }],
    });
    expect(seeMembers([member(4)], { ...sight, zone: zoneOf(records) }, terms)).toMatchObject([{ fate }]);
  });

  it.each([
    [['https://10.1.1.1:2380']],
    [[`https://${id(1)}.other.example.internal:2380`]],
    [['not a URL']],
    [[]],
  ])('with the peer URLs %j is none of ours', (peerUrls) => {
    const stranger = member(1, { peerUrls });
    expect(seeMembers([stranger], sight, terms)).toEqual([
      { member: stranger, instanceId: '', fate: 'not-ours', healthy: true },
    ]);
  });

  it('that nobody has asked is not healthy', () => {
    const unasked = { ...sight, cluster: { kind: 'not-asked' } } as const;
    expect(seeMembers([member(1)], sight, terms)).toMatchObject([{ fate: 'stays', healthy: true }]);
    expect(seeMembers([member(1)], unasked, terms)).toMatchObject([{ fate: 'stays', healthy: false }]);
  });
});
