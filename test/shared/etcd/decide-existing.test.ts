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
  silent,
} from '../../support/etcd/observations.ts';

const born = { birth: { kind: 'born', clusterId: '9a3f' } } as const;
const decide = (scene: Omit<Scene, 'birth'>) => decideEtcd(observationOf({ ...born, ...scene }), settings);

const three = {
  published: [1, 2, 3],
  members: [1, 2, 3].map((number) => member(number)),
  statuses: { 1: answers(), 2: answers(), 3: answers() },
};
const leaving = { phase: 'leaving' } as const;
const arriving = { phase: 'arriving' } as const;
const lost = { phase: 'leaving', runs: false, gone: true } as const;

describe('a stable cluster', () => {
  it('needs no step', () => {
    const observation = { ...three, instances: [1, 2, 3].map((number) => instance(number)) };
    const decision = decide(observation);
    const all = [id(1), id(2), id(3)];
    expect(decision).toMatchObject({ formed: all, states: [], settled: all, held: [], problems: [] });
    expect(decision.step).toBeUndefined();
    expect(decision.publication?.members).toHaveLength(3);
  });
});

describe('a replacement', () => {
  it('removes the leaving member first, while DNS still shows it', () => {
    const { step, publication, held } = decide({
      ...three,
      instances: [instance(1), instance(2), instance(3, leaving)],
    });
    expect(step).toMatchObject({ kind: 'remove', instanceId: id(3) });
    expect(publication?.members).toHaveLength(3);
    expect(held.map(({ instanceId }) => instanceId)).toEqual([id(3)]);
  });

  it('releases the instance and removes its records once it is not a member', () => {
    const { settled, publication } = decide({
      ...three,
      members: [member(1), member(2)],
      instances: [instance(1), instance(2), instance(3, leaving)],
      desired: 3,
    });
    expect(settled).toContain(id(3));
    expect(publication?.members.map(({ instanceId }) => instanceId)).toEqual([id(1), id(2)]);
  });

  it('publishes a new member before adding it, and its state only afterwards', () => {
    const instances = [instance(1), instance(2), instance(4, arriving)];
    const before = decide({
      ...three,
      published: [1, 2],
      members: [member(1), member(2)],
      instances,
      desired: 3,
    });
    expect(before.step).toEqual({
      kind: 'add',
      instanceId: id(4),
      peerUrl: `https://${id(4)}.etcd.example.internal:2380`,
    });
    expect(before.publication?.members.map(({ instanceId }) => instanceId)).toEqual([id(1), id(2), id(4)]);
    expect(before.states.map(({ instanceId }) => instanceId)).not.toContain(id(4));
    const learner = member(4, { name: '', clientUrls: [], isLearner: true });
    const after = decide({
      ...three,
      members: [member(1), member(2), learner],
      instances,
      desired: 3,
      changedAt: 9500,
    });
    expect(after.step).toBeUndefined();
    expect(after.states).toContainEqual({ instanceId: id(4), state: 'existing' });
    expect(after.held).toEqual([{ instanceId: id(4), why: 'its etcd has not started yet' }]);
  });

  it('promotes a learner that has started, and releases its instance once it votes', () => {
    const instances = [instance(1), instance(2), instance(4, arriving)];
    const statuses = { 1: answers(), 2: answers(), 4: answers({ isLearner: true }) };
    const members = [member(1), member(2), member(4, { isLearner: true })];
    const { step, settled } = decide({ published: [1, 2, 4], members, statuses, instances, desired: 3 });
    expect(step).toEqual({ kind: 'promote', instanceId: id(4), memberId: '4' });
    expect(settled).not.toContain(id(4));
    const voting = decide({
      published: [1, 2, 4],
      members: [member(1), member(2), member(4)],
      statuses: { ...statuses, 4: answers() },
      instances,
      desired: 3,
    });
    expect(voting.settled).toContain(id(4));
  });

  it('holds a second leaving member until the first is replaced', () => {
    const { step, held } = decide({
      ...three,
      members: [member(1), member(2)],
      instances: [instance(1), instance(2, leaving), instance(3, leaving)],
      desired: 3,
    });
    expect(step).toBeUndefined();
    expect(held).toEqual([{ instanceId: id(2), why: 'of 3 members 2 vote: one more must join first' }]);
  });

  it('adds the new member first if the leaving one is the only member', () => {
    const instances = [instance(1, leaving), instance(2, arriving)];
    const alone = { published: [1], members: [member(1)], statuses: { 1: answers() }, desired: 1 };
    expect(decide({ ...alone, instances }).step).toMatchObject({ kind: 'add', instanceId: id(2) });
    const both = {
      published: [1, 2],
      members: [member(1), member(2)],
      statuses: { 1: answers(), 2: answers() },
    };
    expect(decide({ ...both, instances, desired: 1 }).step).toMatchObject({
      kind: 'remove',
      instanceId: id(1),
    });
  });
});

describe('the last member', () => {
  it('is never removed: it waits, and the problem is reported', () => {
    const { step, held, problems } = decide({
      published: [1],
      members: [member(1)],
      statuses: { 1: answers() },
      instances: [instance(1, leaving)],
      desired: 0,
    });
    expect(step).toBeUndefined();
    expect(held[0]?.why).toMatch(/the last member/);
    expect(problems).toHaveLength(1);
  });
});

describe('quorum', () => {
  it('holds a leaving member while another of three is down, and reports it', () => {
    const { step, problems } = decide({
      ...three,
      statuses: { 1: answers(), 2: answers(), 3: silent },
      instances: [instance(1), instance(2, leaving), instance(3)],
    });
    expect(step).toBeUndefined();
    expect(problems[0]).toBe(
      `${id(2)}: it cannot be removed: of the 2 remaining members 1 can vote, and 2 must`,
    );
  });

  it('is restored by removing a member whose instance is gone', () => {
    const { step } = decide({
      ...three,
      statuses: { 1: answers(), 2: answers() },
      instances: [instance(1), instance(2, leaving), instance(3, lost)],
    });
    expect(step).toMatchObject({ kind: 'remove', instanceId: id(3), why: 'its instance is gone' });
  });

  it('counts a member as gone if its instance is terminated and in no group', () => {
    const scene = {
      ...three,
      statuses: { 1: answers(), 2: answers() },
      instances: [instance(1), instance(2)],
      desired: 3,
    };
    expect(decide({ ...scene, others: new Map([[id(3), 'gone']]) }).step).toMatchObject({
      kind: 'remove',
      instanceId: id(3),
    });
    expect(decide({ ...scene, others: new Map([[id(3), 'running']]) }).step).toBeUndefined();
  });

  it('records when EC2 first did not know an instance, and does not remove its member yet', () => {
    const scene = {
      ...three,
      statuses: { 1: answers(), 2: answers() },
      instances: [instance(1), instance(2)],
      desired: 3,
    };
    const others = new Map([[id(3), 'unknown-to-ec2' as const]]);
    const first = decide({ ...scene, others });
    expect(first.step).toBeUndefined();
    const missed = first.publication?.members.find(({ instanceId }) => instanceId === id(3));
    expect(missed?.trouble).toEqual({ kind: 'missing', since: 10_000 });
  });
});

describe('an etcd of another cluster on an instance', () => {
  const stray = answers({ clusterId: 'bad' });
  const third = instance(3);

  it('counts for no quorum: a member whose removal needs it stays, and both are reported', () => {
    const { step, problems } = decide({
      ...three,
      statuses: { 1: answers(), 2: answers(), 3: stray },
      instances: [instance(1), instance(2, leaving), third],
    });
    expect(step).toBeUndefined();
    expect(problems).toEqual([
      `${id(2)}: it cannot be removed: of the 2 remaining members 1 can vote, and 2 must`,
      `the etcd on ${id(3)} answers for cluster bad, not for 9a3f: terminate the instance if nothing needs its data`,
    ]);
  });

  it('does not settle an arriving instance, nor does an etcd with the id of another member', () => {
    const instances = [instance(1), instance(2), instance(3, arriving)];
    for (const other of [stray, answers({ memberId: '7' })]) {
      const statuses = { 1: answers(), 2: answers(), 3: other };
      expect(decide({ ...three, statuses, instances }).settled).toEqual([id(1), id(2)]);
    }
  });

  it('is not a sign that the cluster of the domain answers', () => {
    const { problems } = decide({
      published: [1, 2, 3],
      statuses: { 3: answers({ clusterId: 'bad', healthy: false }) },
      instances: [instance(1), instance(2), third],
    });
    expect(problems[0]).toMatch(/^no member of cluster 9a3f answers/);
    expect(problems[1]).toMatch(/answers for cluster bad/);
  });
});

describe('a member that the list calls a voter, and that calls itself a learner (etcd-io/etcd#18347)', () => {
  const contradicted = (phase: 'arriving' | 'serving', scene: Partial<Scene> = {}) =>
    decide({
      ...three,
      instances: [instance(1), instance(2), instance(3, { phase })],
      desired: 3,
      statuses: { ...three.statuses, 3: answers({ isLearner: true }) },
      ...scene,
    });

  it.each(['arriving', 'serving'] as const)('is not settled, and its instance is reported (%s)', (phase) => {
    const { settled, held, problems, step } = contradicted(phase);
    expect(settled).not.toContain(id(3));
    expect(held).toEqual([{ instanceId: id(3), why: expect.stringContaining('answers as a learner') }]);
    expect(problems).toEqual([
      expect.stringMatching(new RegExp(`^${id(3)}: .*learner.*etcdctl member remove 3 `)),
    ]);
    expect(step).toBeUndefined();
  });

  it('is never taken for one that lost its data, however long it lasts', () => {
    const troubles = { 3: { kind: 'silent', since: 1 } } as const;
    expect(contradicted('arriving', { troubles }).step).toBeUndefined();
  });

  it('does not count for the quorum of a removal', () => {
    const { step, problems } = contradicted('serving', {
      instances: [instance(1), instance(2, leaving), instance(3)],
    });
    expect(step).toBeUndefined();
    expect(problems.join()).toContain('of the 2 remaining members 1 can vote, and 2 must');
  });
});

describe('a version of etcd that does not keep promotions (etcd-io/etcd#19557)', () => {
  const withVersion = (...versions: readonly string[]) =>
    decide({
      ...three,
      instances: [1, 2, 3].map((number) => instance(number)),
      statuses: Object.fromEntries(versions.map((version, index) => [index + 1, answers({ version })])),
    });

  it.each(['3.5.1', '3.5.16', '3.5.19', '3.5.9-eks'])(
    'is reported with the only upgrade that is safe before 3.6 (%s)',
    (version) => {
      const { problems, settled } = withVersion(version, version, '3.5.20');
      expect(problems).toEqual([
        expect.stringMatching(new RegExp(`^etcd ${version} .*3\\.5\\.26 or later before 3\\.6`)),
      ]);
      expect(settled).toHaveLength(3);
    },
  );

  it.each(['3.4.34', '3.5.0', '3.5.20', '3.5.21', '3.6.1', '3.15.3', ''])(
    'is not any other (%s)',
    (version) => {
      expect(withVersion(version, version, version).problems).toEqual([]);
    },
  );
});

describe('an alarm of etcd', () => {
  const alarms = [{ memberId: '2', name: 'NOSPACE' }];
  const full = answers({ alarms });

  it('for a full database is reported once, with the instance and the remedy, and replacements go on', () => {
    const { step, problems } = decide({
      ...three,
      statuses: { 1: full, 2: full, 3: full },
      instances: [instance(1), instance(2), instance(3, leaving)],
    });
    expect(step).toMatchObject({ kind: 'remove', instanceId: id(3) });
    expect(problems).toEqual([
      `etcd has raised the alarm NOSPACE on ${id(2)}: its database has reached its quota, so Kubernetes can write nothing: compact and defragment it or raise --quota-backend-bytes, then run etcdctl alarm disarm`,
    ]);
  });

  it('is reported on a member that does not answer, and beside a lost quorum', () => {
    const corrupt = answers({ healthy: false, alarms: [{ memberId: '77', name: 'CORRUPT' }] });
    const { problems } = decide({ published: [1], statuses: { 1: corrupt }, instances: [instance(1)] });
    expect(problems).toEqual([
      "etcd has raised the alarm CORRUPT on member 77: its data differs from that of the others: see etcd's documentation of data corruption",
      'cluster 9a3f has no quorum (no member has quorum): Drover changes nothing until it has',
    ]);
  });

  it('that Drover does not know is reported by its name', () => {
    const unknown = answers({ alarms: [{ memberId: '1', name: 'NEW' }] });
    const { problems } = decide({
      published: [1],
      members: [member(1)],
      statuses: { 1: unknown },
      instances: [instance(1)],
    });
    expect(problems).toEqual([`etcd has raised the alarm NEW on ${id(1)}`]);
  });
});

describe('a cluster of which no member answers', () => {
  const instances = [instance(1), instance(2)];

  it('is left alone until an operator restores it or declares it lost', () => {
    const { problems } = decide({ published: [1, 2], instances });
    expect(problems).toEqual([
      'no member of cluster 9a3f answers (no member has quorum): Drover bootstraps no other cluster over it; if it is lost, run drover etcd restore, or drover etcd rebirth --cluster-id 9a3f',
    ]);
  });

  it('may be running if a certificate is refused: the advice is a new certificate, not a new cluster', () => {
    const expired = { kind: 'silent', why: 'certificate', message: 'certificate has expired' } as const;
    const { problems, held } = decide({ published: [1, 2], instances, statuses: { 2: expired } });
    expect(problems).toEqual([
      `no member of cluster 9a3f can be asked, and it may be running: an etcd listens on ${id(2)}, and a certificate is refused (certificate has expired). Renew the certificate that has expired or that one side does not trust: drover pki upload publishes that of Drover`,
    ]);
    expect(held).toHaveLength(2);
  });
});

describe('growing', () => {
  it('adds one learner at a time', () => {
    const instances = [
      ...[1, 2, 3].map((number) => instance(number)),
      instance(4, arriving),
      instance(5, arriving),
    ];
    const { step, held } = decide({ ...three, instances, desired: 5 });
    expect(step).toMatchObject({ kind: 'add', instanceId: id(4) });
    expect(held).toContainEqual({ instanceId: id(5), why: `adding ${id(4)} comes first` });
  });

  it('adds no instance on which another etcd answers, and goes on with the next one', () => {
    const { step, held, problems } = decide({
      ...three,
      instances: [
        ...[1, 2, 3].map((number) => instance(number)),
        instance(4, arriving),
        instance(5, arriving),
      ],
      statuses: { ...three.statuses, 4: answers({ clusterId: 'bad' }) },
      desired: 5,
    });
    expect(step).toMatchObject({ kind: 'add', instanceId: id(5) });
    expect(held).toContainEqual({
      instanceId: id(4),
      why: 'the etcd of another cluster answers on it, so it could not start as a member',
    });
    expect(problems).toEqual([
      `the etcd on ${id(4)} answers for cluster bad, not for 9a3f: terminate the instance if nothing needs its data`,
    ]);
  });

  it('waits while the list has a member whose peer URL Drover did not make', () => {
    const stranger = member(9, { name: 'old', peerUrls: ['https://10.1.1.1:2380'] });
    const { step, problems } = decide({
      ...three,
      members: [...three.members, stranger],
      instances: [...[1, 2, 3].map((number) => instance(number)), instance(4, arriving)],
    });
    expect(step).toBeUndefined();
    expect(problems[0]).toMatch(/member old has a peer URL outside etcd.example.internal/);
  });
});

describe('a voter whose peer URL is an IP address', () => {
  const members = [
    member(1, { id: '11', name: 'etcd-a', peerUrls: ['https://10.0.0.1:2380'] }),
    member(2),
    member(3),
  ];
  const others = { 2: answers({ memberId: '2' }), 3: answers({ memberId: '3' }) };
  const instances = [instance(1, { phase: 'leaving' }), instance(2), instance(3)];
  const decideWith = (statuses: Scene['statuses'] = {}) =>
    decide({ published: [2, 3], instances, desired: 3, members, statuses });

  it('is known by the id that it answers with, and removed before its instance is released', () => {
    const { step, settled } = decideWith({ 1: answers({ memberId: '11' }), ...others });
    expect(step).toMatchObject({ kind: 'remove', instanceId: id(1), member: { id: '11' } });
    expect(settled).not.toContain(id(1));
  });

  it('keeps its instance while it is silent, because any silent instance may be it', () => {
    const { step, settled, held, problems } = decideWith(others);
    expect(step).toBeUndefined();
    expect(settled).toEqual([id(2), id(3)]);
    expect(held[0]?.why).toMatch(/it may be member 11, which votes/);
    expect(problems.join()).toContain(`${id(1)}: its etcd does not answer`);
  });

  it('is not published, because no SRV set can name it', () => {
    const { publication } = decideWith({ 1: answers({ memberId: '11' }), ...others });
    expect(publication?.members.map(({ instanceId }) => instanceId)).toEqual([id(2), id(3)]);
  });
});
