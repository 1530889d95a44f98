import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { EtcdMember } from '../../../shared/etcd/cluster.ts';
import { nextStep, quorumOf, reasonAgainstRemoval, type Voter } from '../../../shared/etcd/next-step.ts';
import type { EtcdInstance } from '../../../shared/etcd/observe.ts';
import { observeMembers } from '../../../shared/etcd/observed-members.ts';
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
import { etcdHook } from '../../support/etcd/pass-bench.ts';

const statuses = { 1: answers(), 2: answers(), 3: answers(), 4: answers({ isLearner: true }) };
const stepOf = (scene: Scene & { readonly members: readonly EtcdMember[] }) => {
  const observation = observationOf({ statuses, ...scene });
  return nextStep({ observed: observeMembers(scene.members, observation, settings), observation, settings });
};
const voters = [1, 2, 3].map((number) => member(number));
const three = [1, 2, 3].map((number) => instance(number));
const learner = member(4, { isLearner: true });
const unstarted = { clientUrls: [] } as const;
const leaving = { phase: 'leaving' } as const;
const gone = { ...leaving, runs: false, gone: true } as const;

describe('a learner', () => {
  it.each([
    ['leaves', leaving],
    ['is gone', gone],
  ])('that %s before it can vote is removed', (_, changes) => {
    const { step } = stepOf({ members: [...voters, learner], instances: [...three, instance(4, changes)] });
    expect(step).toMatchObject({ kind: 'remove', instanceId: id(4), why: 'it leaves before it can vote' });
  });

  it('that has started but does not answer is not promoted', () => {
    const instances = [...three, instance(4)];
    const { step, waits } = stepOf({
      members: [...voters, learner],
      instances,
      statuses: { ...statuses, 4: silent },
    });
    expect(step).toBeUndefined();
    expect(waits.get(id(4))).toBe('its etcd has not started yet');
  });

  it.each([[{}], [unstarted]])('that Drover did not add is left alone: %j', (changes) => {
    const theirs = member(9, { isLearner: true, peerUrls: ['https://10.1.1.1:2380'], ...changes });
    const scene = { members: [...voters, theirs], instances: three };
    expect(stepOf(scene)).toEqual({ waits: new Map(), problems: [] });
    const { step, waits, problems } = stepOf({ ...scene, instances: [...three, instance(5)] });
    expect(step).toBeUndefined();
    expect(waits.get(id(5))).toMatch(/has a peer URL outside/);
    expect(problems).toHaveLength(1);
  });

  it('must vote before the next is added', () => {
    const { waits } = stepOf({
      members: [...voters, { ...learner, ...unstarted }],
      instances: [...three, instance(4), instance(5)],
    });
    expect(waits.get(id(5))).toBe(`${id(4)} must become a voter first`);
  });
});

describe('a voter that has not started', () => {
  const members = [member(1), member(2), member(3, unstarted)];

  it('makes leaving and arriving instances wait', () => {
    const instances = [instance(1), instance(2, leaving), instance(3), instance(5)];
    const { step, waits } = stepOf({ members, instances, desired: 3 });
    expect(step).toBeUndefined();
    expect(waits.get(id(2))).toBe(`${id(3)} must start first`);
    expect(waits.get(id(5))).toBe(`${id(3)} must start first`);
  });

  it('may be removed itself', () => {
    const instances = [instance(1), instance(2), instance(3, leaving)];
    expect(stepOf({ members, instances }).step).toMatchObject({ kind: 'remove', instanceId: id(3) });
  });

  it('is named by its id if Drover did not add it', () => {
    const stranger = member(9, { ...unstarted, peerUrls: ['https://10.1.1.1:2380'], name: '' });
    const instances = [instance(1), instance(2), instance(3, leaving), instance(5)];
    const { waits } = stepOf({ members: [...voters, stranger], instances });
    expect(waits.get(id(3))).toBe('9 must start first');
    expect(waits.get(id(5))).toMatch(/^member 9 has a peer URL outside/);
  });
});

describe('an arriving instance', () => {
  it('without an address is not added yet', () => {
    const { step, waits } = stepOf({
      members: voters,
      instances: [...three, instance(5, { addresses: [] })],
    });
    expect(step).toBeUndefined();
    expect(waits.get(id(5))).toBe('it has no address in EC2 yet');
  });
});

describe('a leaving member while another is missing already', () => {
  const hour = 3600;
  const hook = { ...etcdHook, globalTimeoutSeconds: 2 * hour };
  const held = { ...leaving, waitsOn: hook } as const;
  /** Two of three are left, one of them waits since so many seconds, and nothing has changed since. */
  const twoOf = (changes: Partial<EtcdInstance>, waitingSeconds: number, scene: Partial<Scene> = {}) =>
    stepOf({
      birth: { kind: 'born', clusterId: '9a3f' },
      published: [1, 2],
      members: [member(1), member(2)],
      instances: [instance(1), instance(2, changes)],
      desired: 3,
      changedAt: 10_000 - waitingSeconds,
      troubles: { 2: { kind: 'waiting', since: 10_000 - waitingSeconds } },
      ...scene,
    });
  const removed = { kind: 'remove', instanceId: id(2) } as const;

  it('waits for another to join, and reports until when', () => {
    const { step, waits, problems } = twoOf(held, 600);
    expect(step).toBeUndefined();
    const latest = new Date((10_000 - 600 + 1.5 * hour) * 1000).toISOString();
    expect(waits.get(id(2))).toBe(
      `of 3 members 2 vote: one more must join first, or it is removed at ${latest}`,
    );
    expect(problems).toEqual([]);
  });

  it('is a problem once nothing has changed for a quarter of an hour', () => {
    expect(twoOf(held, 900).problems).toEqual([]);
    expect(twoOf(held, 901).problems).toEqual([expect.stringMatching(/one more must join first/)]);
    expect(twoOf(held, 901, { changedAt: 9500 }).problems).toEqual([]);
  });

  it('is removed half an hour before its wait ends', () => {
    expect(twoOf(held, 1.5 * hour - 1).step).toBeUndefined();
    expect(twoOf(held, 1.5 * hour).step).toMatchObject({
      ...removed,
      why: 'its instance leaves, and cannot wait any longer',
    });
  });

  it('is removed in the middle of a short wait', () => {
    const short = { ...leaving, waitsOn: { ...etcdHook, globalTimeoutSeconds: 3000 } };
    expect(twoOf(short, 1499).step).toBeUndefined();
    expect(twoOf(short, 1500).step).toMatchObject(removed);
  });

  it('is removed at once if no hook holds its instance', () => {
    expect(twoOf({ ...leaving, unheld: true }, 0).step).toMatchObject(removed);
  });

  it('is not removed even then if that would cost the quorum', () => {
    const { step, problems } = twoOf({ ...leaving, unheld: true }, 0, { statuses: { 2: answers() } });
    expect(step).toBeUndefined();
    expect(problems).toContain(
      `${id(2)}: it cannot be removed: of the 1 remaining members 0 can vote, and 1 must`,
    );
  });
});

describe('a leaving member beside an API server', () => {
  const beside = { besideApiServer: true } as const;
  const arriving = { ...beside, phase: 'arriving' } as const;
  const four = [...voters, member(4)];
  const scene = (changes: Partial<EtcdInstance>, scenery: Partial<Scene> = {}) =>
    stepOf({
      members: four,
      instances: [
        instance(1, beside),
        instance(2, beside),
        instance(3, { ...beside, ...leaving }),
        instance(4, changes),
      ],
      statuses: { ...statuses, 4: answers() },
      desired: 3,
      ...scenery,
    });

  it('waits until the instance of the newest voter is in service', () => {
    const { step, waits, problems } = scene(arriving);
    expect(step).toBeUndefined();
    expect(waits.get(id(3))).toBe(`${id(4)} votes, and its API server must be in service first`);
    expect(problems).toEqual([]);
    expect(scene(beside).step).toMatchObject({ kind: 'remove', instanceId: id(3) });
  });

  it('waits for its hook, before which its load balancer lets connections end', () => {
    const draining = { ...leaving, isBeingDeregistered: true } as const;
    const held = (changes: Partial<EtcdInstance>) =>
      stepOf({
        members: voters,
        instances: [instance(1), instance(2), instance(3, { ...draining, ...changes })],
        desired: 3,
      });
    const { step, waits, problems } = held(beside);
    expect(step).toBeUndefined();
    expect(waits.get(id(3))).toMatch(/its load balancer lets connections .* end before its hook begins/);
    expect(problems).toEqual([]);
    expect(held({ ...beside, ...gone }).step).toMatchObject({ kind: 'remove', instanceId: id(3) });
    expect(held({ ...beside, unheld: true }).step).toMatchObject({ kind: 'remove', instanceId: id(3) });
    expect(held({}).step).toMatchObject({ kind: 'remove', instanceId: id(3) });
  });

  it('does not wait for members that have no API server beside them', () => {
    expect(scene({ phase: 'arriving' }).step).toMatchObject({ kind: 'remove', instanceId: id(3) });
  });

  it('is a problem once nothing has changed for a quarter of an hour', () => {
    const since = {
      birth: { kind: 'born', clusterId: '9a3f' },
      published: [1, 2, 3, 4],
      changedAt: 9000,
    } as const;
    expect(scene(arriving, { ...since, troubles: { 3: { kind: 'waiting', since: 9000 } } }).problems).toEqual(
      [expect.stringMatching(/its API server must be in service first/)],
    );
  });

  it('is removed at once if no hook holds its instance', () => {
    const instances = [
      instance(1, beside),
      instance(2, beside),
      instance(3, { ...beside, ...leaving, unheld: true }),
      instance(4, arriving),
    ];
    expect(scene(arriving, { instances }).step).toMatchObject({ kind: 'remove', instanceId: id(3) });
  });

  it('makes another new member wait only while enough members vote', () => {
    const more = (desired: number) =>
      stepOf({
        members: [...voters],
        instances: [instance(1, beside), instance(2, beside), instance(3, arriving), instance(5, arriving)],
        desired,
      });
    expect(more(3).waits.get(id(5))).toBe(`${id(3)} must be in service first`);
    expect(more(5).step).toMatchObject({ kind: 'add', instanceId: id(5) });
  });
});

describe('an arriving instance whose member was to leave', () => {
  /** Its root volume was replaced before the member could be removed. */
  const emptied = (scene: Partial<Scene> = {}) =>
    stepOf({
      birth: { kind: 'born', clusterId: '9a3f' },
      published: [1, 2, 3],
      members: voters,
      instances: [instance(1), instance(2), instance(3, { phase: 'arriving' })],
      statuses: { 1: answers(), 2: answers() },
      troubles: { 3: { kind: 'waiting', since: 9000 } },
      ...scene,
    });

  it('has lost its data, so the member is removed', () => {
    expect(emptied().step).toMatchObject({
      kind: 'remove',
      instanceId: id(3),
      why: 'its root volume is new, and its data is gone',
    });
  });

  it('has also lost its data if its member has not answered for a quarter of an hour', () => {
    const silentFor = (seconds: number) =>
      emptied({ troubles: { 3: { kind: 'silent', since: 10_000 - seconds } } }).step;
    expect(silentFor(900)).toBeUndefined();
    expect(silentFor(901)).toMatchObject({ kind: 'remove', instanceId: id(3) });
  });

  it('keeps its member if that would cost the quorum', () => {
    const { step, problems } = emptied({ statuses: { 1: answers() } });
    expect(step).toBeUndefined();
    expect(problems).toHaveLength(1);
  });

  it.each([
    ['it serves', { statuses: { 1: answers(), 2: answers(), 3: answers() } }],
    ['no mark says that it was to leave', { troubles: {} }],
  ])('keeps its member if %s', (_, scene) => {
    expect(emptied(scene)).toEqual({ step: undefined, waits: new Map(), problems: [] });
  });

  it('has also lost its data if only its state shows it', () => {
    const instances = [instance(1), instance(2), instance(3, { phase: 'arriving', emptied: true })];
    expect(emptied({ troubles: {}, instances }).step).toMatchObject({ kind: 'remove', instanceId: id(3) });
    const members = [member(1), member(2), member(3, { isLearner: true, clientUrls: [] })];
    expect(emptied({ troubles: {}, instances, members }).step).toBeUndefined();
  });
});

describe('a member that is silent for a quarter of an hour', () => {
  const born = { birth: { kind: 'born', clusterId: '9a3f' }, published: [1, 2, 3] } as const;
  const minutes = 'has not answered for 15 minutes';

  it('is a problem if it votes', () => {
    const scene = { ...born, members: voters, instances: three, statuses: { 1: answers(), 2: answers() } };
    const problemsAfter = (seconds: number) =>
      stepOf({ ...scene, troubles: { 3: { kind: 'silent', since: 10_000 - seconds } } }).problems;
    expect(problemsAfter(900)).toEqual([]);
    expect(problemsAfter(901)).toEqual([`${id(3)}: its member votes, and ${minutes}`]);
  });

  it('is a problem if its instance is stopped outside the groups, and none if that runs', () => {
    const problemsOf = (presence: 'stopped' | 'running') =>
      stepOf({
        ...born,
        members: voters,
        instances: three.slice(0, 2),
        others: new Map([[id(3), presence]]),
        troubles: { 3: { kind: 'silent', since: 9000 } },
      }).problems;
    expect(problemsOf('stopped')).toEqual([
      `${id(3)}: its member votes, and ${minutes}: its instance is stopped, outside the groups`,
    ]);
    expect(problemsOf('running')).toEqual([]);
  });

  it('is a problem if it is a learner that has not started since the domain changed', () => {
    const unborn = { ...learner, ...unstarted };
    const problemsAfter = (seconds: number) =>
      stepOf({
        ...born,
        members: [...voters, unborn],
        instances: [...three, instance(4, { phase: 'arriving' })],
        statuses: { 1: answers(), 2: answers(), 3: answers() },
        changedAt: 10_000 - seconds,
      }).problems;
    expect(problemsAfter(900)).toEqual([]);
    expect(problemsAfter(901)).toEqual([
      `${id(4)}: its etcd has not started for 15 minutes: see its log, or terminate the instance`,
    ]);
  });
});

describe('several leaving members', () => {
  const five = [1, 2, 3, 4, 5].map((number) => member(number));
  const all = { 1: answers(), 2: answers(), 3: answers(), 4: answers(), 5: silent };

  it('are removed one after the other, the unhealthy one first', () => {
    const instances = [1, 2, 3].map((number) => instance(number));
    const { step, waits } = stepOf({
      members: five,
      statuses: all,
      instances: [...instances, instance(4, leaving), instance(5, leaving)],
      desired: 3,
    });
    expect(step).toMatchObject({ kind: 'remove', instanceId: id(5) });
    expect(waits.get(id(4))).toBe(`removing ${id(5)} comes first`);
  });

  it('whose instances are gone are removed before a learner is promoted', () => {
    const { step, waits } = stepOf({
      members: [member(1), member(2), member(3), learner],
      instances: [instance(1), instance(2), instance(3, gone), instance(4)],
    });
    expect(step).toMatchObject({ kind: 'remove', instanceId: id(3) });
    expect(waits.get(id(4))).toBe(`removing ${id(3)} comes first`);
  });
});

const healths = fc.array(fc.boolean(), { minLength: 1, maxLength: 9 }).map((health): readonly Voter[] =>
  health.map((healthy, index) => ({
    healthy,
    member: { id: String(index), name: `m${index}`, peerUrls: [], clientUrls: [], isLearner: false },
  })),
);

describe('the removal of a voter', () => {
  it('is allowed only if a quorum of the remaining voters is healthy', () => {
    fc.assert(
      fc.property(healths, fc.nat({ max: 8 }), (all, which) => {
        const leaving = String(which % all.length);
        const remaining = all.filter(({ member }) => member.id !== leaving);
        const healthy = remaining.filter((voter) => voter.healthy).length;
        const isAllowed = reasonAgainstRemoval(all, leaving) === undefined;
        expect(isAllowed).toBe(remaining.length > 0 && healthy > remaining.length / 2);
      }),
    );
  });

  it('is refused with the numbers that are missing', () => {
    const [one, two, three] = [true, true, false].map((healthy, index) => ({
      healthy,
      member: { id: String(index), name: 'm', peerUrls: [], clientUrls: [], isLearner: false },
    }));
    if (!one || !two || !three) throw new Error('three were made');
    expect(reasonAgainstRemoval([one, two, three], '0')).toBe(
      'of the 2 remaining members 1 can vote, and 2 must',
    );
    expect(reasonAgainstRemoval([one], '0')).toMatch(/last member/);
  });

  it.each([
    [1, 1],
    [2, 2],
    [3, 2],
    [4, 3],
    [5, 3],
    [7, 4],
  ])('of a cluster of %i has a quorum of %i', (size, quorum) => {
    expect(quorumOf(size)).toBe(quorum);
  });
});
