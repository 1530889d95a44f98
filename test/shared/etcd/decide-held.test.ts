import { describe, expect, it } from 'vitest';
import { decideEtcd } from '../../../shared/etcd/decide.ts';
import type { EtcdSight } from '../../../shared/etcd/sight.ts';
import { answers, id, instance, member, type Scene, sightOf, terms } from '../../support/etcd/sights.ts';

const three = [1, 2, 3].map((number) => instance(number));
const decide = (scene: Scene) => decideEtcd(sightOf(scene), terms);
const unasked = (scene: Scene): EtcdSight => ({ ...sightOf(scene), cluster: { kind: 'not-asked' } });
const born = { birth: { kind: 'born', clusterId: '9a3f' }, published: [1, 2, 3] } as const;
const forming = { birth: { kind: 'forming', set: [id(1), id(2), id(3)] }, published: [1, 2, 3] } as const;

describe('a domain that is marked', () => {
  it('by another cluster is left to it', () => {
    const sight = sightOf({ ...born, instances: three });
    const decision = decideEtcd(sight, { ...terms, clusterName: 'test' });
    expect(decision).toMatchObject({ states: [], settled: [] });
    expect([decision.publication, decision.step]).toEqual([undefined, undefined]);
    expect(decision.held).toHaveLength(3);
    expect(decision.problems[0]).toMatch(/marked as that of somebody else/);
  });

  it('by something that Drover has not written is left alone', () => {
    const name = '_drover-etcd.etcd.example.internal';
    const foreign = { name, type: 'TXT', ttlSeconds: 60, values: ['v=spf1'] } as const;
    const sight = { ...sightOf({ instances: three }), zone: { records: [foreign], foreign: [] } };
    expect(decideEtcd(sight, terms).problems[0]).toMatch(/marked as that of somebody else/);
  });

  it('as published without asking etcd waits for a person to say which cluster it is, once etcd is asked', () => {
    const { held, problems, publication } = decide({ birth: { kind: 'published' }, instances: three });
    expect(publication).toBeUndefined();
    expect(held).toHaveLength(3);
    expect(problems[0]).toMatch(/drover etcd adopt --cluster-id/);
  });
});

describe('where etcd is not asked', () => {
  const dnsOnly = { ...terms, mode: 'dns-only' } as const;

  it('records follow the groups: who arrives is existing, who leaves goes, and who has no address waits', () => {
    const instances = [
      instance(1),
      instance(2, { phase: 'leaving' }),
      instance(4, { phase: 'arriving' }),
      instance(5, { phase: 'arriving', addresses: [] }),
    ];
    const sight = unasked({ birth: { kind: 'published' }, published: [1, 2], instances });
    const { publication, settled, held } = decideEtcd(sight, dnsOnly);
    expect(publication?.members.map(({ instanceId, state }) => [instanceId, state])).toEqual([
      [id(1), 'existing'],
      [id(4), 'existing'],
    ]);
    expect(settled).toEqual([id(1), id(2), id(4)]);
    expect(held).toEqual([{ instanceId: id(5), why: 'EC2 has given it no address yet' }]);
  });

  it('the first set is published without a birth that anybody could see', () => {
    const { publication } = decideEtcd(unasked({ instances: three }), dnsOnly);
    expect(publication?.birth).toEqual({ kind: 'published' });
    expect(publication?.members.map(({ state }) => state)).toEqual(['new', 'new', 'new']);
  });

  it('a born cluster is not changed by who ought to ask it', () => {
    const decision = decideEtcd(unasked({ ...born, instances: three }), terms);
    expect(decision.step).toBeUndefined();
    expect(decision.problems[0]).toMatch(/^no member of cluster 9a3f answers: no other is born over it/);
  });

  it('a forming one is not born, whatever time has passed', () => {
    const decision = decideEtcd(unasked({ ...forming, instances: three }), terms);
    expect(decision.publication).toBeUndefined();
    expect(decision.held[0]?.why).toMatch(/does not serve yet/);
  });
});

describe('a first set that does not form', () => {
  it('is waited for a quarter of an hour, and then who is silent is named', () => {
    const scene = { ...forming, instances: three, statuses: { 1: answers() } };
    const at = (seconds: number) => ({ ...sightOf(scene), now: (1000 + seconds) * 1000 });
    expect(decideEtcd(at(900), terms).problems).toEqual([]);
    expect(decideEtcd(at(901), terms).problems).toEqual([
      `the first members have formed no cluster for 15 minutes: ${id(2)}, ${id(3)} does not serve`,
    ]);
  });

  it('is not born while nobody gives the list, though all of them serve', () => {
    const statuses = { 1: answers(), 2: answers(), 3: answers() };
    const { publication, held } = decide({ ...forming, instances: three, statuses });
    expect(publication).toBeUndefined();
    expect(held[0]?.why).toBe('the first members form a cluster: it does not serve yet');
  });
});

describe('a born cluster without a list', () => {
  it('says without more words that it has no quorum where the failure says nothing', () => {
    const sight = sightOf({ ...born, instances: three });
    const statuses = new Map([[id(1), answers({ healthy: false })]]);
    const { problems } = decideEtcd({ ...sight, cluster: { kind: 'asked', statuses } }, terms);
    expect(problems).toEqual(['cluster 9a3f has no quorum: nothing is changed until it has']);
  });
});

describe('a member whose instance has lost its address', () => {
  const [, two, last] = three as [unknown, ReturnType<typeof instance>, ReturnType<typeof instance>];
  const members = [1, 2, 3].map((number) => member(number));
  const statuses = { 1: answers(), 2: answers(), 3: answers() };
  const bare = instance(1, { addresses: [] });

  it('is shown at the one that DNS has', () => {
    const { publication } = decide({ ...born, instances: [bare, two, last], members, statuses });
    expect(publication?.members[0]).toEqual({
      instanceId: id(1),
      addresses: ['10.0.0.1'],
      state: 'existing',
    });
  });

  it('is not shown where DNS has none either', () => {
    const scene = { ...born, published: [2, 3], instances: [bare, two, last], members, statuses };
    expect(decide(scene).publication?.members.map(({ instanceId }) => instanceId)).toEqual([id(2), id(3)]);
  });

  it('is shown as long as EC2 does not know it, with the time since', () => {
    const others = new Map([[id(1), 'unknown-to-ec2' as const]]);
    const { publication } = decide({ ...born, instances: [two, last], members, statuses, others });
    expect(publication?.members[0]).toMatchObject({ instanceId: id(1), missingSince: 10_000 });
  });
});
