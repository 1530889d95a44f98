import { describe, expect, it } from 'vitest';
import { decideEtcd } from '../../../shared/etcd/decide.ts';
import type { EtcdObservation } from '../../../shared/etcd/observe.ts';
import { recordsOf } from '../../../shared/etcd/records.ts';
import {
  answers,
  id,
  instance,
  member,
  observationOf,
  type Scene,
  settings,
} from '../../support/etcd/observations.ts';

const three = [1, 2, 3].map((number) => instance(number));
const decide = (scene: Scene) => decideEtcd(observationOf(scene), settings);
const unasked = (scene: Scene): EtcdObservation => ({
  ...observationOf(scene),
  cluster: { kind: 'not-asked' },
});
const born = { birth: { kind: 'born', clusterId: '9a3f' }, published: [1, 2, 3] } as const;
const forming = { birth: { kind: 'forming', set: [id(1), id(2), id(3)] }, published: [1, 2, 3] } as const;

describe('the mark of a domain', () => {
  it('of another cluster makes Drover change nothing', () => {
    const observation = observationOf({ ...born, instances: three });
    const decision = decideEtcd(observation, { ...settings, clusterName: 'test' });
    expect(decision).toMatchObject({ states: [], settled: [] });
    expect([decision.publication, decision.step]).toEqual([undefined, undefined]);
    expect(decision.held).toHaveLength(3);
    expect(decision.problems[0]).toMatch(/the mark of the domain does not belong to this cluster/);
  });

  it('that Drover did not write makes Drover change nothing', () => {
    const name = '_drover-etcd.etcd.example.internal';
    const foreign = { name, type: 'TXT', ttlSeconds: 60, values: ['v=spf1'] } as const;
    const observation = { ...observationOf({ instances: three }), zone: { records: [foreign], foreign: [] } };
    expect(decideEtcd(observation, settings).problems[0]).toMatch(
      /the mark of the domain does not belong to this cluster/,
    );
  });

  it('from dns-only mode makes Drover wait until an operator names the cluster', () => {
    const { held, problems, publication } = decide({ birth: { kind: 'published' }, instances: three });
    expect(publication).toBeUndefined();
    expect(held).toHaveLength(3);
    expect(problems[0]).toMatch(/drover etcd adopt --cluster-id/);
  });
});

describe('dns-only mode', () => {
  const dnsOnly = { ...settings, mode: 'dns-only' } as const;

  it('publishes arriving instances as existing, drops leaving ones, and holds those without an address', () => {
    const instances = [
      instance(1),
      instance(2, { phase: 'leaving' }),
      instance(4, { phase: 'arriving' }),
      instance(5, { phase: 'arriving', addresses: [] }),
    ];
    const observation = unasked({ birth: { kind: 'published' }, published: [1, 2], instances });
    const { publication, settled, held } = decideEtcd(observation, dnsOnly);
    expect(publication?.members.map(({ instanceId, state }) => [instanceId, state])).toEqual([
      [id(1), 'existing'],
      [id(4), 'existing'],
    ]);
    expect(settled).toEqual([id(1), id(2), id(4)]);
    expect(held).toEqual([{ instanceId: id(5), why: 'it has no address in EC2 yet' }]);
  });

  it('publishes the first set without waiting for the cluster to form', () => {
    const { publication } = decideEtcd(unasked({ instances: three }), dnsOnly);
    expect(publication?.birth).toMatchObject({ kind: 'published', token: expect.any(String) });
    expect(publication?.members.map(({ state }) => state)).toEqual(['new', 'new', 'new']);
  });

  it('publishes the token of its birth for the first set, and none for others', () => {
    const birth = { kind: 'published', token: 'drover-1' } as const;
    const observation = unasked({ birth, published: [1], instances: [instance(1), instance(2)] });
    const first = {
      ...observation.zone,
      records: recordsOf({
        ...settings,
        birth,
        changedAt: 1000,
        members: [{ instanceId: id(1), addresses: ['10.0.0.1'], state: 'new' }],
      }),
    };
    expect(decideEtcd({ ...observation, zone: first }, dnsOnly).states).toEqual([
      { instanceId: id(1), state: 'new', token: 'drover-1' },
      { instanceId: id(2), state: 'existing' },
    ]);
  });

  it('changes no existing cluster while the members are not asked', () => {
    const decision = decideEtcd(unasked({ ...born, instances: three }), settings);
    expect(decision.step).toBeUndefined();
    expect(decision.problems[0]).toMatch(
      /^no member of cluster 9a3f answers: Drover bootstraps no other cluster over it/,
    );
  });

  it('records no forming cluster as formed while the members are not asked', () => {
    const decision = decideEtcd(unasked({ ...forming, instances: three }), settings);
    expect(decision.publication).toBeUndefined();
    expect(decision.held[0]?.why).toMatch(/does not serve yet/);
  });
});

describe('a first set that does not form', () => {
  it('is reported after a quarter of an hour, with the silent members', () => {
    const scene = { ...forming, instances: three, statuses: { 1: answers() } };
    const at = (seconds: number) => ({ ...observationOf(scene), now: (1000 + seconds) * 1000 });
    expect(decideEtcd(at(900), settings).problems).toEqual([]);
    expect(decideEtcd(at(901), settings).problems).toEqual([
      `the first members have formed no cluster for 15 minutes: ${id(2)}, ${id(3)} does not serve`,
    ]);
  });

  it('is not recorded as formed without a member list, though all members serve', () => {
    const statuses = { 1: answers(), 2: answers(), 3: answers() };
    const { publication, held } = decide({ ...forming, instances: three, statuses });
    expect(publication).toBeUndefined();
    expect(held[0]?.why).toBe('the first members form a cluster: it does not serve yet');
  });
});

describe('an existing cluster without a member list', () => {
  it('reports the lost quorum if there is no failure message', () => {
    const observation = observationOf({ ...born, instances: three });
    const statuses = new Map([[id(1), answers({ healthy: false })]]);
    const { problems } = decideEtcd({ ...observation, cluster: { kind: 'asked', statuses } }, settings);
    expect(problems).toEqual(['cluster 9a3f has no quorum: Drover changes nothing until it has']);
  });
});

describe('a member whose instance has lost its address', () => {
  const [, two, last] = three as [unknown, ReturnType<typeof instance>, ReturnType<typeof instance>];
  const members = [1, 2, 3].map((number) => member(number));
  const statuses = { 1: answers(), 2: answers(), 3: answers() };
  const bare = instance(1, { addresses: [] });

  it('keeps the address that DNS has', () => {
    const { publication } = decide({ ...born, instances: [bare, two, last], members, statuses });
    expect(publication?.members[0]).toEqual({
      instanceId: id(1),
      addresses: ['10.0.0.1'],
      state: 'existing',
    });
  });

  it('is not published if DNS has no address either', () => {
    const scene = { ...born, published: [2, 3], instances: [bare, two, last], members, statuses };
    expect(decide(scene).publication?.members.map(({ instanceId }) => instanceId)).toEqual([id(2), id(3)]);
  });

  it('is published while EC2 does not know it, with the time since', () => {
    const others = new Map([[id(1), 'unknown-to-ec2' as const]]);
    const { publication } = decide({ ...born, instances: [two, last], members, statuses, others });
    expect(publication?.members[0]).toMatchObject({
      instanceId: id(1),
      trouble: { kind: 'missing', since: 10_000 },
    });
  });
});
