import { describe, expect, it } from 'vitest';
import { EtcdError } from '../../../shared/etcd/cluster.ts';
import { etcdPass } from '../../../shared/etcd/pass.ts';
import { recordsOf } from '../../../shared/etcd/records.ts';
import { etcdStatusTagKey } from '../../../shared/etcd/tell-groups.ts';
import type { EtcdWorld } from '../../../shared/etcd/world.ts';
import type { LifecycleHook } from '../../../shared/lifecycle/group.ts';
import { createPassBench, type Furniture, groupOf, machine } from '../../support/etcd/pass-bench.ts';
import { answers, id, member, terms } from '../../support/etcd/sights.ts';

/** A born cluster whose records show these members, long in sync. */
const bornWith = (...numbers: readonly number[]) =>
  recordsOf({
    ...terms,
    birth: { kind: 'born', clusterId: '9a3f' },
    changedAt: 1000,
    members: numbers.map((number) => ({
      instanceId: id(number),
      addresses: [`10.0.0.${number}`],
      state: 'existing',
    })),
  });

const machines = [1, 2, 3, 4].map((number) => machine(number));
const three: Furniture = {
  groups: [groupOf({ 1: 'InService', 2: 'InService', 3: 'InService' })],
  machines,
  records: bornWith(1, 2, 3),
  members: [1, 2, 3].map((number) => member(number)),
  statuses: { 1: answers(), 2: answers(), 3: answers() },
};
const bench = (furniture: Furniture, changes: Partial<EtcdWorld> = {}) =>
  createPassBench({ ...three, ...furniture }, changes);
const leaving = groupOf({ 1: 'InService', 2: 'InService', 3: 'Terminating:Wait' });
const noHooks: Readonly<Record<string, readonly LifecycleHook[]>> = {};

describe('a pass', () => {
  it('over a cluster at rest does nothing and is done', async () => {
    const { world, done } = bench({});
    expect(await etcdPass(world)).toMatchObject({
      status: 'done',
      reason: 'records and members are as the groups want them',
      facts: { instances: 3, members: 3, learners: 0, etcdProblems: 0 },
    });
    expect(done).toEqual([]);
  });

  it('that is paused keeps the waits alive and changes nothing', async () => {
    const tags = { ...leaving.tags, 'drover.dev/paused': 'scope=group by=ada' };
    const { world, done } = bench({ groups: [{ ...leaving, tags }] });
    expect(await etcdPass(world)).toMatchObject({
      status: 'again',
      reason: 'paused for the group by ada; nothing ends the wait',
      facts: { waitsFor: 'pause' },
    });
    expect(done).toEqual([`beat ${id(3)}`]);
  });

  it('does nothing while a change of its own is under way, and goes on after', async () => {
    let isInSync = false;
    const { zone } = createPassBench(three).world;
    const { world, memory, done } = bench(
      { groups: [leaving] },
      { zone: { ...zone, isInSync: async () => isInSync } },
    );
    memory.changed({ changeId: 'C1' }, { records: bornWith(1, 2, 3), foreign: [] });
    expect(await etcdPass(world)).toMatchObject({ status: 'again', facts: { waitsFor: 'dns' } });
    expect(done).toEqual([`beat ${id(3)}`]);
    isInSync = true;
    expect(await etcdPass(world)).toMatchObject({ reason: `removed ${id(3)}: its instance leaves` });
    expect(done).toEqual([`beat ${id(3)}`, 'remove 3']);
  });

  it('says on the groups what a person is needed for', async () => {
    const { world, done } = bench({ statuses: {} });
    expect(await etcdPass(world)).toMatchObject({ status: 'done', facts: { etcdProblems: 1 } });
    expect(done).toHaveLength(1);
    expect(done[0]).toMatch(/^tell etcd no member of cluster 9a3f answers _/);
  });

  it('takes the word from a group that needs nobody any more, and bears that it cannot', async () => {
    const tags = { ...leaving.tags, [etcdStatusTagKey]: 'no quorum' };
    const groups = [groupOf({ 1: 'InService', 2: 'InService', 3: 'InService' }, { tags })];
    const said = bench({ groups });
    await etcdPass(said.world);
    expect(said.done).toEqual(['tell etcd undefined']);
    const refused = bench({ groups }, { tellGroup: () => Promise.reject(new Error('AccessDenied')) });
    expect((await etcdPass(refused.world)).status).toBe('done');
    expect(refused.done).toEqual([`trouble: the tag ${etcdStatusTagKey} of etcd was not changed`]);
  });

  it('stops at a record that is in the way', async () => {
    const [mark, ...others] = bornWith(1, 2);
    if (!mark) throw new Error('there is a mark');
    const stranger = { name: `${id(3)}.etcd.example.internal`, ttlSeconds: 60, values: ['x'] };
    const records = [mark, ...others, { ...stranger, type: 'TXT' } as const];
    const { world, done } = bench({ records });
    expect(await etcdPass(world)).toMatchObject({ status: 'again', facts: { waitsFor: 'zone' } });
    expect(done.filter((what) => what.startsWith('change'))).toEqual([]);
  });

  it('comes back while one without our launch hook joins', async () => {
    const groups = [groupOf({ 1: 'InService', 2: 'InService', 4: 'Pending:Wait' })];
    const learner = member(4, { isLearner: true, clientUrls: [] });
    const members = [member(1), member(2), learner];
    const { world, done } = bench({ groups, hooks: noHooks, members, records: bornWith(1, 2, 4) });
    const outcome = await etcdPass(world);
    expect(outcome).toMatchObject({ status: 'again', reason: `${id(4)} joins`, facts: { learners: 1 } });
    expect(done).toContain(`publish ${id(4)} existing`);
  });

  it('changes the records first, and nothing else until every name server has them', async () => {
    const { world, done, memory } = bench({ groups: [leaving], records: bornWith(1, 2) });
    expect(await etcdPass(world)).toMatchObject({ status: 'again', facts: { waitsFor: 'dns' } });
    expect(done).toEqual([`beat ${id(3)}`, expect.stringMatching(/^change \d+ records$/)]);
    expect(memory.pendingChange()).toEqual({ changeId: 'C1' });
  });

  it('makes what etcd refuses a problem of the groups', async () => {
    const { world, done, failures } = bench({ groups: [leaving] });
    failures.change = new EtcdError('unsafe', 'unhealthy cluster');
    const reason = `etcd refuses to remove ${id(3)}: unhealthy cluster`;
    expect(await etcdPass(world)).toMatchObject({ afterSeconds: 10, reason, facts: { problem: reason } });
    expect(done).toEqual([`beat ${id(3)}`, `tell etcd ${reason}`]);
  });

  it('keeps records alone where etcd is out of reach, and says nothing of members', async () => {
    const groups = [groupOf({ 1: 'Pending:Wait', 2: 'InService', 3: 'InService' })];
    const { world, done } = bench({ groups, etcd: 'unreached' });
    const { facts } = await etcdPass(world);
    expect(facts).toEqual({ instances: 3, etcdProblems: 0 });
    expect(done).toEqual([`beat ${id(1)}`, `publish ${id(1)} existing`, `CONTINUE ${id(1)}`]);
  });

  it('asks for the snapshot before it lets a member go', async () => {
    const { world, done } = bench({ groups: [leaving] }, { reasonForSnapshot: async () => 'no snapshot' });
    expect(await etcdPass(world)).toMatchObject({
      status: 'again',
      reason: `${id(3)} is kept: no snapshot`,
      facts: { step: 'remove', etcdProblems: 0 },
    });
    expect(done).toEqual([`beat ${id(3)}`]);
  });
});

describe('a wait', () => {
  it('is completed for who is a member no more, whose state is forgotten', async () => {
    const { world, done } = bench({
      groups: [leaving],
      members: [member(1), member(2)],
      records: bornWith(1, 2),
    });
    expect((await etcdPass(world)).status).toBe('done');
    expect(done).toEqual([`beat ${id(3)}`, `forget ${id(3)}`, `CONTINUE ${id(3)}`]);
  });

  it('that Auto Scaling knows no more is left alone from then on', async () => {
    const { world, done } = bench({
      groups: [leaving],
      members: [member(1), member(2)],
      records: bornWith(1, 2),
      areWaitsOver: true,
    });
    await etcdPass(world);
    await etcdPass(world);
    expect(done).toEqual([`beat ${id(3)}`]);
  });

  it('is kept for a member that may not go, and comes back later where a person is needed', async () => {
    const lastOne = bench({
      groups: [groupOf({ 3: 'Terminating:Wait' }, { desiredCapacity: 0 })],
      members: [member(3)],
      records: bornWith(3),
    });
    const outcome = await etcdPass(lastOne.world);
    expect(outcome).toMatchObject({ status: 'again', afterSeconds: 20, facts: { waiting: 1 } });
    expect(outcome.reason).toMatch(/the last member/);
    const starting = bench({
      groups: [groupOf({ 1: 'InService', 2: 'InService', 4: 'Pending:Wait' })],
      members: [member(1), member(2), member(4, { isLearner: true, clientUrls: [] })],
      records: bornWith(1, 2, 4),
    });
    expect(await etcdPass(starting.world)).toMatchObject({
      status: 'again',
      afterSeconds: 10,
      reason: `${id(4)}: its etcd has not started yet`,
    });
    expect([...lastOne.done, ...starting.done].filter((what) => what.startsWith('CONTINUE'))).toEqual([]);
  });
});
