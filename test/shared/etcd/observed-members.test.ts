import { describe, expect, it } from 'vitest';
import { observeMembers } from '../../../shared/etcd/observed-members.ts';
import { recordsOf } from '../../../shared/etcd/records.ts';
import { zoneOf } from '../../support/etcd/arbitraries.ts';
import { answers, id, instance, member, observationOf, settings } from '../../support/etcd/observations.ts';

const observation = observationOf({
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
    expect(observeMembers([member(2)], observation, settings)).toMatchObject([
      { instanceId: id(2), fate: 'stays' },
    ]);
  });

  it('whose instance EC2 has terminated is gone', () => {
    expect(observeMembers([member(3)], observation, settings)).toMatchObject([
      { fate: 'gone', healthy: false },
    ]);
  });

  it.each([
    [299, 'missing', 10_000 - 299],
    [300, 'gone', 10_000 - 300],
    [900, 'gone', 10_000 - 900],
    // EC2 may have known the instance again since then.
    [901, 'missing', 10_000],
    [86_400, 'missing', 10_000],
  ])('whose instance was first not known to EC2 %i seconds ago is %s', (seconds, fate, since) => {
    const addresses = ['10.0.0.4'];
    const trouble = { kind: 'missing', since: 10_000 - seconds } as const;
    const records = recordsOf({
      ...settings,
      birth: { kind: 'born', clusterId: '9a3f' },
      changedAt: 1,
      members: [{ instanceId: id(4), addresses, state: 'existing', trouble }],
    });
    expect(observeMembers([member(4)], { ...observation, zone: zoneOf(records) }, settings)).toMatchObject([
      { fate, trouble: { kind: 'missing', since } },
    ]);
  });

  it.each([
    [['https://10.1.1.1:2380']],
    [[`https://${id(1)}.other.example.internal:2380`]],
    [['not a URL']],
    [[]],
  ])('with the peer URLs %j is not ours', (peerUrls) => {
    const stranger = member(1, { id: '77', peerUrls });
    expect(observeMembers([stranger], observation, settings)).toEqual([
      {
        member: stranger,
        instanceId: '',
        isByName: false,
        fate: 'not-ours',
        healthy: true,
        contradictsList: false,
      },
    ]);
  });

  it('that was not asked is not healthy', () => {
    const unasked = { ...observation, cluster: { kind: 'not-asked' } } as const;
    expect(observeMembers([member(1)], observation, settings)).toMatchObject([
      { fate: 'stays', healthy: true },
    ]);
    expect(observeMembers([member(1)], unasked, settings)).toMatchObject([{ fate: 'stays', healthy: false }]);
  });
});
