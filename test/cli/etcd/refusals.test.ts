import { describe, expect, it } from 'vitest';
import {
  refuseElsewhere,
  refuseWhileAlive,
  refuseWhileAtStake,
  refuseWithoutNames,
} from '../../../cli/etcd/zone/refusals.ts';
import { answers, id, instance, member, observationOf, settings } from '../../support/etcd/observations.ts';

const etcd = { settings };
const birth = { kind: 'born', clusterId: '9a3f' } as const;
const refused = { kind: 'silent', why: 'certificate', message: 'unknown authority' } as const;
const instances = [instance(1), instance(2)];

describe('drover etcd rebirth', () => {
  it('takes a refused certificate for a sign of life', () => {
    const observation = observationOf({ birth, published: [1, 2], instances, statuses: { 2: refused } });
    expect(() => refuseWhileAlive(observation)).toThrow(/a certificate is refused .* is not lost/);
  });

  it.each([
    ['runs', { instances: [instance(1)] }],
    ['is stopped, and may come back with its data', { instances: [instance(1, { runs: false })] }],
    ['runs outside the groups', { instances: [], others: new Map([[id(1), 'running' as const]]) }],
    ['is stopped outside the groups', { instances: [], others: new Map([[id(1), 'stopped' as const]]) }],
  ])('needs --give-up for an instance of the cluster that %s', (_, scene) => {
    const observation = observationOf({ birth, published: [1], ...scene });
    expect(() => refuseWhileAtStake(observation, { etcd, birth, giveUp: [id(2)] })).toThrow(
      `--give-up ${id(1)}`,
    );
    expect(() => refuseWhileAtStake(observation, { etcd, birth, giveUp: [id(1)] })).not.toThrow();
  });

  it('needs --give-up for a first member that no record shows any more', () => {
    const forming = { kind: 'forming', set: [id(1), id(2)] } as const;
    const observation = observationOf({ birth: forming, published: [2], instances: [instance(1)] });
    expect(() => refuseWhileAtStake(observation, { etcd, birth: forming, giveUp: [] })).toThrow(
      `--give-up ${id(1)}`,
    );
  });

  it('needs no --give-up for instances that are gone, or that came later', () => {
    const later = [instance(1, { runs: false, gone: true }), instance(4, { phase: 'arriving' })];
    const observation = observationOf({ birth, published: [1], instances: later });
    expect(() => refuseWhileAtStake(observation, { etcd, birth, giveUp: [] })).not.toThrow();
  });

  it('is refused for instances that EC2 does not know, if nothing shows that the region is right', () => {
    const others = new Map([[id(1), 'unknown-to-ec2' as const]]);
    const observation = observationOf({ birth, published: [1], instances: [], others });
    const inGroups = (groups: number, giveUp: readonly string[]) => () =>
      refuseElsewhere(observation, Array(groups).fill('etcd'), { etcd, birth, giveUp });
    expect(inGroups(0, [])).toThrow(/check the region, the account .* --give-up i-00000000000000001$/);
    expect(inGroups(0, [id(1)])).not.toThrow();
    expect(inGroups(1, [])).not.toThrow();
  });

  it('is refused for any instance that exists if members are not asked', () => {
    const observation = observationOf({ birth, published: [1], instances });
    const unasked = { ...observation, cluster: { kind: 'not-asked' } } as const;
    expect(() => refuseWhileAtStake(unasked, { etcd, birth, giveUp: [id(1)] })).toThrow(
      /does not ask members/,
    );
  });
});

describe('drover etcd adopt', () => {
  it('is refused for a cluster with peer URLs that are not by name, with the commands that change them', () => {
    const members = [
      member(1, { id: '255', peerUrls: ['https://10.0.0.1:2380'] }),
      member(2, { id: '2', peerUrls: ['https://10.0.0.2:2380'] }),
    ];
    const statuses = { 1: answers({ memberId: '255' }) };
    const observation = observationOf({ instances, members, statuses });
    const url = `https://${id(1)}.etcd.example.internal:2380`;
    expect(() => refuseWithoutNames(observation, etcd)).toThrow(
      `etcdctl member update ff --peer-urls=${url}\n  etcdctl member update 2 --peer-urls=https://INSTANCE_ID.`,
    );
    // No record shows the names before the cluster is adopted, so peers could not find each other.
    expect(() => refuseWithoutNames(observation, etcd)).toThrow(
      `\n  10.0.0.1 ${id(1)}.etcd.example.internal\n  ADDRESS INSTANCE_ID.etcd.example.internal\n`,
    );
    expect(() => refuseWithoutNames(observationOf({ instances, members: [member(1)] }), etcd)).not.toThrow();
  });

  it('has a learner promoted before its peer URL is updated, which would make etcd forget that it is one', () => {
    const learner = member(2, { peerUrls: ['https://10.0.0.2:2380'], isLearner: true });
    const observation = observationOf({ instances, members: [member(1), learner] });
    expect(() => refuseWithoutNames(observation, etcd)).toThrow(
      /etcdctl member promote 2\n {2}etcdctl member update 2 /,
    );
  });
});
