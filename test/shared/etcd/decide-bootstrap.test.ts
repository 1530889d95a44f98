import { describe, expect, it } from 'vitest';
import { decideEtcd } from '../../../shared/etcd/decide.ts';
import {
  answers,
  id,
  instance,
  member,
  observationOf,
  type Scene,
  settings,
} from '../../support/etcd/observations.ts';

const decide = (scene: Scene) => decideEtcd(observationOf(scene), settings);
const arriving = (...numbers: readonly number[]) =>
  numbers.map((number) => instance(number, { phase: 'arriving' }));
const set = [id(1), id(2), id(3)];
const forming = { birth: { kind: 'forming', set }, published: [1, 2, 3] } as const;

describe('before the bootstrap', () => {
  it('publishes nothing until all desired members are known', () => {
    const decision = decide({ instances: arriving(1, 2), desired: 3 });
    expect(decision.publication).toBeUndefined();
    expect(decision.states).toEqual([]);
    expect(decision.settled).toEqual([]);
    expect(decision.held.map(({ why }) => why)).toEqual(
      Array(2).fill('2 of the first 3 members are known: Drover publishes nothing until all are'),
    );
  });

  it('reports an incomplete first set once an instance has waited for it for fifteen minutes', () => {
    const { now } = observationOf({ instances: [] });
    const waitingFor = (minutes: number) =>
      decide({
        instances: arriving(1, 2).map((one) => ({ ...one, launchedAt: now - minutes * 60_000 })),
        desired: 3,
      });
    expect(waitingFor(14).problems).toEqual([]);
    expect(waitingFor(16)).toMatchObject({
      settled: [],
      problems: [
        expect.stringMatching(/^2 of the first 3 members are known: .* lower the desired capacity$/),
      ],
    });
  });

  it('ignores the age of an instance that leaves before the first set is complete', () => {
    const leaver = instance(1, { phase: 'leaving', launchedAt: 0 });
    expect(decide({ instances: [leaver, ...arriving(2)], desired: 3 }).problems).toEqual([]);
  });

  it('does not count an instance without an address as known', () => {
    const [one, two, three] = arriving(1, 2, 3);
    if (!one || !two || !three) throw new Error('three were made');
    expect(decide({ instances: [one, two, { ...three, addresses: [] }] }).publication).toBeUndefined();
  });

  it('publishes the whole first set at once, as new, and freezes it', () => {
    const { publication, settled, held } = decide({ instances: arriving(3, 1, 2) });
    expect(publication?.birth).toEqual({ kind: 'forming', set, token: 'drover-19700101T024640Z' });
    expect(publication?.members.map(({ state }) => state)).toEqual(['new', 'new', 'new']);
    expect(settled).toEqual([]);
    expect(held).toHaveLength(3);
  });

  it('releases a leaving instance, because it is not a member', () => {
    const instances = [...arriving(1, 2), instance(3, { phase: 'leaving' })];
    expect(decide({ instances, desired: 3 }).settled).toEqual([id(3)]);
  });

  it('publishes nothing if an etcd that Drover did not form answers', () => {
    const { publication, problems } = decide({ instances: arriving(1), statuses: { 1: answers() } });
    expect(publication).toBeUndefined();
    expect(problems[0]).toMatch(/drover etcd adopt --cluster-id 9a3f/);
  });

  it('completes no hook while an etcd that Drover did not form answers: each instance may vote in it', () => {
    const instances = [instance(1), instance(2, { phase: 'leaving' })];
    const { settled, held } = decide({ instances, statuses: { 1: answers() } });
    expect(settled).toEqual([]);
    expect(held).toHaveLength(2);
    expect(held[1]?.why).toMatch(/Drover publishes nothing and completes no hook/);
  });

  it('publishes no first set if records of hosts exist without a mark: a cluster was formed here', () => {
    const observation = observationOf({
      birth: { kind: 'published' },
      published: [1],
      instances: arriving(1),
    });
    const records = observation.zone.records.filter(({ name }) => !name.startsWith('_drover-etcd'));
    const { publication, settled, problems } = decideEtcd(
      { ...observation, zone: { ...observation.zone, records } },
      settings,
    );
    expect([publication, settled]).toEqual([undefined, []]);
    expect(problems[0]).toMatch(/the mark of etcd.example.internal was deleted, but the records of i-/);
  });

  it('counts an etcd that refuses our certificate as running', () => {
    const refused = { kind: 'silent', why: 'certificate', message: 'unknown authority' } as const;
    const instances = [...arriving(1), instance(2, { phase: 'leaving' })];
    const { publication, settled, problems } = decide({ instances, desired: 1, statuses: { 1: refused } });
    expect([publication, settled]).toEqual([undefined, []]);
    expect(problems[0]).toMatch(/a certificate is refused \(unknown authority\), and the domain has no mark/);
  });
});

describe('while the first members form a cluster', () => {
  it('publishes the state new with the token of the birth for the first members, and nothing for a fourth instance', () => {
    const birth = { kind: 'forming', set, token: 'drover-1' } as const;
    const decision = decide({ ...forming, birth, instances: arriving(1, 2, 3, 4), desired: 4 });
    expect(decision.states).toEqual(
      set.map((instanceId) => ({ instanceId, state: 'new', token: 'drover-1' })),
    );
    expect(decision.publication).toBeUndefined();
    expect(decision.step).toBeUndefined();
    expect(decision.held).toHaveLength(4);
  });

  it('records the id of the cluster once every running member of the first set serves', () => {
    const members = [1, 2, 3].map((number) => member(number));
    const early = decide({
      ...forming,
      instances: arriving(1, 2, 3),
      members,
      statuses: { 1: answers(), 2: answers() },
    });
    expect(early.publication).toBeUndefined();
    const statuses = { 1: answers(), 2: answers(), 3: answers() };
    const { publication, formed, states } = decide({
      ...forming,
      instances: arriving(1, 2, 3),
      members,
      statuses,
    });
    expect([formed, states]).toEqual([set, []]);
    expect(publication?.birth).toEqual({ kind: 'born', clusterId: '9a3f' });
    expect(publication?.members.map(({ state }) => state)).toEqual(['existing', 'existing', 'existing']);
  });

  it('records the cluster without a member that died if the others have quorum', () => {
    const instances = [...arriving(1, 2), instance(3, { phase: 'leaving', runs: false, gone: true })];
    const members = [member(1), member(2), member(3, { clientUrls: [] })];
    const { publication } = decide({
      ...forming,
      instances,
      members,
      statuses: { 1: answers(), 2: answers() },
    });
    expect(publication?.birth.kind).toBe('born');
    expect(publication?.members).toHaveLength(3);
  });

  it('reports that two clusters have formed, and publishes nothing', () => {
    const statuses = { 1: answers(), 2: answers(), 3: answers({ clusterId: 'bad' }) };
    const { publication, problems, states } = decide({ ...forming, instances: arriving(1, 2, 3), statuses });
    expect(publication).toBeUndefined();
    expect(states).toEqual([]);
    expect(problems[0]).toMatch(/formed 2 clusters \(9a3f, bad\)/);
  });

  it('releases the members of two clusters, because its advice is to terminate them', () => {
    const statuses = { 1: answers(), 2: answers(), 3: answers({ clusterId: 'bad' }) };
    const instances = [1, 2, 3].map((number) => instance(number, { phase: 'leaving' }));
    expect(decide({ ...forming, instances, statuses }).settled).toEqual(set);
    expect(decide({ ...forming, instances, statuses: { 1: answers() } }).settled).toEqual([]);
  });

  it('also releases the last member of two clusters if it lists only a part of the first set', () => {
    const instances = [instance(3, { phase: 'leaving' })];
    const scene = { ...forming, instances, statuses: { 3: answers({ clusterId: 'bad' }) } };
    expect(decide({ ...scene, members: [member(3)] }).settled).toEqual([id(3)]);
    const whole = decide({ ...scene, members: [1, 2, 3].map((number) => member(number)) });
    expect(whole.settled).toEqual([]);
  });

  it('holds the last member of the first set, which may have the only copy, and says how to give it up', () => {
    const { settled, held } = decide({ ...forming, instances: [instance(3, { phase: 'leaving' })] });
    expect(settled).toEqual([]);
    expect(held[0]?.why).toMatch(/1 are left, too few .* complete their hooks by hand .* rebirth --forming/);
  });

  it('records a cluster that has formed without a member that never served and leaves', () => {
    const members = [member(1), member(2), member(3, { clientUrls: [] })];
    const scene = { ...forming, members, statuses: { 1: answers(), 2: answers() } };
    const instances = [...arriving(1, 2), instance(3, { phase: 'leaving' })];
    const { publication, formed } = decide({ ...scene, instances });
    expect(publication?.birth).toEqual({ kind: 'born', clusterId: '9a3f' });
    expect(formed).toEqual([id(1), id(2)]);
    const two = [instance(1), instance(2, { phase: 'leaving' }), instance(3, { phase: 'leaving' })];
    const alone = decide({ ...scene, instances: two, statuses: { 1: answers() } });
    expect(alone.publication).toBeUndefined();
  });

  it('is not disturbed by another etcd outside the first set', () => {
    const statuses = { 1: answers(), 2: answers(), 3: answers(), 4: answers({ clusterId: 'bad' }) };
    const members = [1, 2, 3].map((number) => member(number));
    const { publication } = decide({ ...forming, instances: arriving(1, 2, 3, 4), members, statuses });
    expect(publication?.birth).toEqual({ kind: 'born', clusterId: '9a3f' });
  });

  it('publishes no second set if too few of the first members are left', () => {
    const instances = [...arriving(1, 4, 5), instance(2, { runs: false, gone: true })];
    const { publication, problems, settled } = decide({ ...forming, instances, desired: 3 });
    expect(publication).toBeUndefined();
    expect(settled).toEqual([]);
    expect(problems[0]).toMatch(/1 are left, too few/);
  });
});

describe('after the bootstrap', () => {
  const born = { birth: { kind: 'born', clusterId: '9a3f' }, published: [1, 2, 3] } as const;

  it('bootstraps no other cluster if all members are lost at once', () => {
    const { publication, states, settled, held, problems } = decide({
      ...born,
      instances: arriving(4, 5, 6),
    });
    expect([publication, states, settled]).toEqual([undefined, [], []]);
    expect(held).toHaveLength(3);
    expect(problems[0]).toMatch(
      /no member of cluster 9a3f answers .*: Drover bootstraps no other cluster over it/,
    );
  });

  it('bootstraps no other cluster if the group was scaled to zero and back', () => {
    expect(decide({ ...born, instances: [], desired: 0 }).publication).toBeUndefined();
    expect(decide({ ...born, published: [], instances: arriving(4), desired: 1 }).states).toEqual([]);
  });

  it('reports another cluster behind the names and changes nothing', () => {
    const observation = observationOf({
      ...born,
      instances: [instance(1)],
      statuses: { 1: answers({ clusterId: 'bad' }) },
    });
    const { cluster } = observation;
    if (cluster.kind !== 'asked') throw new Error('it was asked');
    const other = {
      ...observation,
      cluster: { ...cluster, list: { clusterId: 'bad', members: [member(1)] } },
    };
    const { problems, step, publication } = decideEtcd(other, settings);
    expect([step, publication]).toEqual([undefined, undefined]);
    expect(problems[0]).toBe(
      'the etcd behind these names is cluster bad, and the one that was born here is 9a3f: Drover changes nothing',
    );
  });

  it('changes nothing without quorum', () => {
    const { problems, held } = decide({
      ...born,
      instances: [instance(1), instance(2)],
      statuses: { 1: answers({ healthy: false }) },
    });
    expect(problems[0]).toMatch(/^cluster 9a3f has no quorum/);
    expect(held).toHaveLength(2);
  });
});
