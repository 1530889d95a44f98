import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { EtcdError } from '../../../shared/etcd/cluster.ts';
import type { EtcdPassContext } from '../../../shared/etcd/context.ts';
import { etcdStatusTagKey } from '../../../shared/etcd/groups.ts';
import { findHostMarks } from '../../../shared/etcd/mark.ts';
import { afterChanges, createEtcdMemory } from '../../../shared/etcd/memory.ts';
import { etcdPass } from '../../../shared/etcd/pass.ts';
import { recordsOf } from '../../../shared/etcd/records.ts';
import { type ZoneContent, ZoneError } from '../../../shared/etcd/zone.ts';
import type { LifecycleHook } from '../../../shared/groups/group.ts';
import { answers, id, member, settings } from '../../support/etcd/observations.ts';
import { createPassBench, type Furniture, groupOf, machine } from '../../support/etcd/pass-bench.ts';

/** A born cluster whose records show these members, long in sync. */
const bornWith = (...numbers: readonly number[]) => bornAt(1000, ...numbers);

const bornAt = (changedAt: number, ...numbers: readonly number[]) =>
  recordsOf({
    ...settings,
    birth: { kind: 'born', clusterId: '9a3f' },
    changedAt,
    members: numbers.map((number) => ({
      instanceId: id(number),
      addresses: [`10.0.0.${number}`],
      state: 'existing',
    })),
  });

/** The same for one member that leaves, and whose wait is recorded. */
const waitingAlone = (number: number) =>
  recordsOf({
    ...settings,
    birth: { kind: 'born', clusterId: '9a3f' },
    changedAt: 1000,
    members: [
      {
        instanceId: id(number),
        addresses: [`10.0.0.${number}`],
        state: 'existing',
        trouble: { kind: 'waiting', since: 1000 },
      },
    ],
  });

const machines = [1, 2, 3, 4].map((number) => machine(number));
const three: Furniture = {
  groups: [groupOf({ 1: 'InService', 2: 'InService', 3: 'InService' })],
  machines,
  records: bornWith(1, 2, 3),
  members: [1, 2, 3].map((number) => member(number)),
  statuses: { 1: answers(), 2: answers(), 3: answers() },
};
const bench = (furniture: Furniture, changes: Partial<EtcdPassContext> = {}) =>
  createPassBench({ ...three, ...furniture }, changes);
const leaving = groupOf({ 1: 'InService', 2: 'InService', 3: 'Terminating:Wait' });
const noHooks: Readonly<Record<string, readonly LifecycleHook[]>> = {};

describe('an etcd pass', () => {
  it('over a stable cluster changes nothing and is done', async () => {
    const { context, done } = bench({});
    expect(await etcdPass(context)).toMatchObject({
      status: 'done',
      reason: 'records and members are as the groups want them',
      facts: { instances: 3, members: 3, learners: 0, etcdProblems: 0 },
    });
    expect(done).toEqual([]);
  });

  it('that is paused requests heartbeats and changes nothing', async () => {
    const tags = { ...leaving.tags, 'drover.dev/paused': 'scope=group by=ada' };
    const { context, done } = bench({ groups: [{ ...leaving, tags }] });
    expect(await etcdPass(context)).toMatchObject({
      status: 'again',
      reason: 'paused for the group by ada; nothing ends the wait',
      facts: { waitsFor: 'pause' },
    });
    expect(done).toEqual([`heartbeat ${id(3)}`]);
  });

  it('waits while its last DNS change is pending, and continues afterwards', async () => {
    let isInSync = false;
    const { zone } = createPassBench(three).context;
    const { context, memory, done } = bench(
      { groups: [leaving] },
      { zone: { ...zone, isInSync: async () => isInSync } },
    );
    const changedAt = context.clock.now() / 1000 - 5;
    memory.recordChange({ changeId: 'C1', changedAt }, { records: bornWith(1, 2, 3), foreign: [] });
    expect(await etcdPass(context)).toMatchObject({ status: 'again', facts: { waitsFor: 'dns' } });
    expect(done).toEqual([`heartbeat ${id(3)}`]);
    isInSync = true;
    expect(await etcdPass(context)).toMatchObject({ reason: `removed ${id(3)}: its instance leaves` });
    expect(done).toEqual([`heartbeat ${id(3)}`, 'remove 3']);
  });

  it('reports a first set that is incomplete fifteen minutes after the launch of an instance', async () => {
    const { clock } = createPassBench(three).context;
    const launchedAt = clock.now() - 901_000;
    const groups = [{ ...groupOf({ 1: 'Pending:Wait', 2: 'Pending:Wait' }), desiredCapacity: 3 }];
    const { context, done } = bench({
      groups,
      machines: [machine(1, { launchedAt }), machine(2)],
      records: [],
      statuses: {},
    });
    expect(await etcdPass(context)).toMatchObject({ status: 'again', facts: { etcdProblems: 1 } });
    expect(done).toContainEqual(expect.stringMatching(/^tag etcd 2 of the first 3 members are known/));
  });

  it('reports a change that Route 53 does not propagate for fifteen minutes as a problem, and continues to wait', async () => {
    const { zone, clock } = createPassBench(three).context;
    const { context, memory, done } = bench(
      { groups: [leaving] },
      { zone: { ...zone, isInSync: async () => false } },
    );
    const pendingSince = (seconds: number) =>
      memory.recordChange(
        { changeId: 'C1', changedAt: clock.now() / 1000 - seconds },
        { records: bornWith(1, 2, 3), foreign: [] },
      );
    pendingSince(900);
    expect(await etcdPass(context)).not.toHaveProperty('facts.etcdProblems');
    pendingSince(901);
    expect(await etcdPass(context)).toMatchObject({
      status: 'again',
      facts: {
        etcdProblems: 1,
        problem: expect.stringMatching(/propagating its change C1 for more than 15 min/),
      },
    });
    expect(done).toEqual([`heartbeat ${id(3)}`, expect.stringMatching(/^tag etcd Route 53 has been/)]);
  });

  it.each(['read', 'change'] as const)(
    'shows as a problem that Route 53 denies to %s the zone',
    async (call) => {
      const records = bornWith(1, 2);
      const { zone } = createPassBench({ ...three, records }).context;
      const refusal = new ZoneError('denied', 'the role may not do this');
      const { context, done } = bench(
        { groups: [leaving], records },
        { zone: { ...zone, [call]: () => Promise.reject(refusal) } },
      );
      expect(await etcdPass(context)).toMatchObject({
        status: 'again',
        reason: 'the role may not do this',
        facts: { etcdProblems: 1, waitsFor: 'zone' },
      });
      expect(done).toEqual([
        `heartbeat ${id(3)}`,
        'problem: Route 53 refuses',
        expect.stringMatching(/^tag etcd the role may not do this/),
      ]);
    },
  );

  it.each([
    ['is one of the failures of several calls', (refusal: ZoneError) => new AggregateError([refusal], 'two')],
    [
      'is the cause of an error',
      (cause: ZoneError) => new Error('two', { cause: new Error('x', { cause }) }),
    ],
  ])('shows a refusal of Route 53 as a problem if it %s', async (_, wrapped) => {
    const { zone } = createPassBench(three).context;
    const denied = wrapped(new ZoneError('denied', 'no'));
    const { context } = bench({}, { zone: { ...zone, read: () => Promise.reject(denied) } });
    expect(await etcdPass(context)).toMatchObject({
      status: 'again',
      reason: 'two',
      facts: { problem: 'two' },
    });
    const busy = wrapped(new ZoneError('busy', 'Throttling'));
    const throttled = bench({}, { zone: { ...zone, read: () => Promise.reject(busy) } });
    await expect(etcdPass(throttled.context)).rejects.toBe(busy);
  });

  it.each(['invalid', 'denied'] as const)(
    'continues by the time in the mark if Route 53 cannot report on its change: %s',
    async (code) => {
      const { zone } = createPassBench(three).context;
      const refusal = new ZoneError(code, 'NoSuchChange');
      const { context, memory, done } = bench(
        { groups: [leaving] },
        { zone: { ...zone, isInSync: () => Promise.reject(refusal) } },
      );
      memory.recordChange({ changeId: 'C1', changedAt: 1000 }, { records: bornWith(1, 2, 3), foreign: [] });
      expect(await etcdPass(context)).toMatchObject({ reason: `removed ${id(3)}: its instance leaves` });
      expect(done).toContain('problem: Route 53 cannot report whether its change C1 is in sync');
    },
  );

  it('fails and asks again about its change while Route 53 throttles', async () => {
    const { zone } = createPassBench(three).context;
    const refusal = new ZoneError('busy', 'Throttling');
    const { context, memory } = bench({}, { zone: { ...zone, isInSync: () => Promise.reject(refusal) } });
    const pending = { changeId: 'C1', changedAt: 1000 };
    memory.recordChange(pending, { records: bornWith(1, 2, 3), foreign: [] });
    await expect(etcdPass(context)).rejects.toBe(refusal);
    expect(memory.pendingChange()).toEqual(pending);
  });

  it('requests the heartbeats of every wait although one request fails, and says which', async () => {
    const groups = [groupOf({ 1: 'InService', 2: 'Terminating:Wait', 3: 'Terminating:Wait' })];
    const requested: string[] = [];
    const failure = `heartbeats for ${id(2)} could not be requested`;
    const ensureHeartbeats: EtcdPassContext['ensureHeartbeats'] = async ({ action: { instanceId } }) => {
      requested.push(instanceId);
      if (instanceId === id(2)) throw new Error(failure);
    };
    const { context, done } = bench({ groups }, { ensureHeartbeats });
    await etcdPass(context);
    expect(requested).toEqual([id(2), id(3)]);
    expect(done).toEqual([`problem: ${failure}`, 'remove 2', `tag etcd ${failure}`]);
  });

  it('counts a wait without heartbeats as a problem, also while it is paused', async () => {
    const tags = { ...leaving.tags, 'drover.dev/paused': 'scope=group by=ada' };
    for (const groups of [[leaving], [{ ...leaving, tags }]]) {
      const ensureHeartbeats = () => Promise.reject(new Error('AccessDenied'));
      const { context } = bench({ groups }, { ensureHeartbeats });
      expect(await etcdPass(context)).toMatchObject({ status: 'again', facts: { etcdProblems: 1 } });
    }
  });

  it('sets the status tag of the groups to the first problem', async () => {
    const { context, done } = bench({ statuses: {} });
    expect(await etcdPass(context)).toMatchObject({ status: 'done', facts: { etcdProblems: 1 } });
    expect(done).toHaveLength(1);
    expect(done[0]).toMatch(/^tag etcd no member of cluster 9a3f answers _/);
  });

  it('sets it on every group of the members, and ends only once it is set', async () => {
    const tagged: string[] = [];
    const setStatusTag = async (name: string): Promise<void> => {
      await new Promise((resolve) => setImmediate(resolve));
      tagged.push(name);
    };
    const groups = ['etcd-a', 'etcd-b'].map((autoScalingGroupName) => groupOf({}, { autoScalingGroupName }));
    await etcdPass(bench({ groups, statuses: {} }, { setStatusTag }).context);
    expect(tagged).toEqual(['etcd-a', 'etcd-b']);
  });

  it('removes the status tag once there is no problem, and continues if that fails', async () => {
    const tags = { ...leaving.tags, [etcdStatusTagKey]: 'no quorum' };
    const groups = [groupOf({ 1: 'InService', 2: 'InService', 3: 'InService' }, { tags })];
    const said = bench({ groups });
    await etcdPass(said.context);
    expect(said.done).toEqual(['tag etcd undefined']);
    const refused = bench({ groups }, { setStatusTag: () => Promise.reject(new Error('AccessDenied')) });
    expect((await etcdPass(refused.context)).status).toBe('done');
    expect(refused.done).toEqual([`problem: the tag ${etcdStatusTagKey} of etcd was not changed`]);
  });

  it('changes no record if one is in the way', async () => {
    const [mark, ...others] = bornWith(1, 2);
    if (!mark) throw new Error('there is a mark');
    const stranger = { name: `${id(3)}.etcd.example.internal`, ttlSeconds: 60, values: ['x'] };
    const records = [mark, ...others, { ...stranger, type: 'TXT' } as const];
    const { context, done } = bench({ records });
    expect(await etcdPass(context)).toMatchObject({ status: 'again', facts: { waitsFor: 'zone' } });
    expect(done.filter((what) => what.startsWith('change'))).toEqual([]);
  });

  it('comes again while an instance without our launch hook is joining', async () => {
    const groups = [groupOf({ 1: 'InService', 2: 'InService', 4: 'Pending:Wait' })];
    const learner = member(4, { isLearner: true, clientUrls: [] });
    const members = [member(1), member(2), learner];
    const { context, done } = bench({ groups, hooks: noHooks, members, records: bornWith(1, 2, 4) });
    const outcome = await etcdPass(context);
    expect(outcome).toMatchObject({ status: 'again', reason: `${id(4)} is joining`, facts: { learners: 1 } });
    expect(done).toContain(`publish ${id(4)} existing`);
  });

  it.each([
    ['comes again while the new member of an instance in service starts', 9500, 'again'],
    ['leaves a member that has not started for fifteen minutes to the sweep', 9000, 'done'],
  ])('%s', async (_, changedAt, status) => {
    const members = [member(1), member(2), member(3, { isLearner: true, clientUrls: [] })];
    const statuses = { 1: answers(), 2: answers() };
    const { context } = bench({ members, statuses, records: bornAt(changedAt, 1, 2, 3) });
    const outcome = await etcdPass(context);
    expect(outcome).toMatchObject({ status, facts: { learners: 1 } });
    if (status === 'again') expect(outcome.reason).toBe(`${id(3)}: its etcd does not serve yet`);
  });

  it('changes the records first, and nothing else until every name server has them', async () => {
    const { context, done, memory } = bench({ groups: [leaving], records: bornWith(1, 2) });
    expect(await etcdPass(context)).toMatchObject({ status: 'again', facts: { waitsFor: 'dns' } });
    expect(done).toEqual([`heartbeat ${id(3)}`, expect.stringMatching(/^change \d+ records$/)]);
    expect(memory.pendingChange()).toMatchObject({ changeId: 'C1' });
  });

  it.each([
    ['plans again after another has changed the zone', 9500, 0],
    [
      'calls it a problem that another changes its records, if it has not changed the domain for long',
      9000,
      1,
    ],
  ])('%s', async (_, changedAt, etcdProblems) => {
    const records = bornAt(changedAt, 1, 2);
    const { zone } = createPassBench(three).context;
    const overtaken = new ZoneError('conflict', 'it was not found');
    const { context, memory } = bench(
      { groups: [leaving], records },
      {
        zone: {
          ...zone,
          read: async () => ({ records, foreign: [] }),
          change: () => Promise.reject(overtaken),
        },
      },
    );
    expect(await etcdPass(context)).toMatchObject({
      status: 'again',
      reason: expect.stringMatching(/^something else changed the records of Drover/),
      facts: { etcdProblems },
    });
    expect(memory.zone()).toBeUndefined();
  });

  it('reports a refusal of etcd in the status tag', async () => {
    const { context, done, failures } = bench({ groups: [leaving] });
    failures.change = new EtcdError('unsafe', 'unhealthy cluster');
    const reason = `etcd refuses to remove ${id(3)}: unhealthy cluster`;
    expect(await etcdPass(context)).toMatchObject({ afterSeconds: 10, reason, facts: { problem: reason } });
    expect(done).toEqual([`heartbeat ${id(3)}`, `tag etcd ${reason}`]);
  });

  it('manages only records if etcd cannot be reached', async () => {
    const groups = [groupOf({ 1: 'Pending:Wait', 2: 'InService', 3: 'InService' })];
    const { context, done } = bench({ groups, etcd: 'unreached' });
    const { facts } = await etcdPass(context);
    expect(facts).toEqual({ instances: 3, etcdProblems: 0 });
    expect(done).toEqual([`heartbeat ${id(1)}`, `publish ${id(1)} existing`, `CONTINUE ${id(1)}`]);
  });

  it('removes no member without a fresh snapshot', async () => {
    const { context, done } = bench(
      { groups: [leaving], records: bornAt(9500, 1, 2, 3) },
      { staleSnapshotReason: async () => 'no snapshot' },
    );
    expect(await etcdPass(context)).toMatchObject({
      status: 'again',
      reason: `${id(3)} is not removed yet: no snapshot`,
      facts: { step: 'remove', etcdProblems: 0 },
    });
    expect(done).toEqual([`heartbeat ${id(3)}`]);
  });

  it('reports that a removal waits for a snapshot, once the first one is long overdue', async () => {
    const { context, done } = bench(
      { groups: [leaving] },
      { staleSnapshotReason: async () => 'no snapshot' },
    );
    const problem = `${id(3)} is not removed yet: no snapshot`;
    expect(await etcdPass(context)).toMatchObject({ status: 'again', facts: { etcdProblems: 1, problem } });
    expect(done).toEqual([`heartbeat ${id(3)}`, `tag etcd ${problem}`]);
  });

  it.each([
    ['waits for a learner that catches up', 9500, 0],
    ['calls it a problem that a learner has not caught up for fifteen minutes', 9000, 1],
  ])('%s', async (_, changedAt, etcdProblems) => {
    const { context, failures } = bench({
      groups: [groupOf({ 1: 'InService', 2: 'InService', 4: 'Pending:Wait' })],
      members: [member(1), member(2), member(4, { isLearner: true })],
      statuses: { 1: answers(), 2: answers(), 4: answers({ isLearner: true }) },
      records: bornAt(changedAt, 1, 2, 4),
    });
    failures.change = new EtcdError('not-in-sync', 'can only promote a learner member which is in sync');
    expect(await etcdPass(context)).toMatchObject({
      reason: expect.stringContaining(`not yet to promote ${id(4)}`),
      facts: { etcdProblems },
    });
  });
});

describe('what a member starts as', () => {
  it('is not `new` before every name server has the records, in which it would look for its peers', async () => {
    const published = (changedAt: number): Furniture => ({
      groups: [groupOf({ 1: 'Pending:Wait', 2: 'Pending:Wait', 3: 'Pending:Wait' })],
      members: [],
      statuses: {},
      records: recordsOf({
        ...settings,
        birth: { kind: 'forming', set: [id(1), id(2), id(3)], token: 'drover-token' },
        changedAt,
        members: [1, 2, 3].map((number) => ({
          instanceId: id(number),
          addresses: [`10.0.0.${number}`],
          state: 'new',
        })),
      }),
    });
    const early = bench(published(9_950));
    expect(await etcdPass(early.context)).toMatchObject({ facts: { waitsFor: 'dns' } });
    expect(early.done.filter((what) => what.startsWith('publish'))).toEqual([]);
    const inSync = bench(published(9_930));
    await etcdPass(inSync.context);
    expect(inSync.done).toContain(`publish ${id(1)} new drover-token`);
  });

  const forming = (token?: string) =>
    recordsOf({
      ...settings,
      birth: { kind: 'forming', set: [id(1), id(2), id(3)], token },
      changedAt: 1000,
      members: [1, 2, 3].map((number) => ({
        instanceId: id(number),
        addresses: [`10.0.0.${number}`],
        state: 'new',
      })),
    });

  it('is new with the token of the birth, until all serve', async () => {
    const { context, done } = bench({
      groups: [groupOf({ 1: 'Pending:Wait', 2: 'InService', 3: 'InService' })],
      records: forming('drover-20261121T200544Z'),
      statuses: { 1: answers() },
    });
    await etcdPass(context);
    expect(done.filter((what) => what.startsWith('publish'))).toEqual(
      [1, 2, 3].map((number) => `publish ${id(number)} new drover-20261121T200544Z`),
    );
  });

  it('is existing for every first member, waiting or not, before the birth is recorded', async () => {
    const { context, done } = bench({ records: forming(), states: { 1: 'new', 2: 'new', 3: 'new' } });
    await etcdPass(context);
    expect(done).toEqual([
      ...[1, 2, 3].map((number) => `publish ${id(number)} existing`),
      expect.stringMatching(/^change \d+ records$/),
    ]);
  });

  it('is not recorded as born while a state could not be published', async () => {
    const { states } = createPassBench().context;
    const refused = { ...states, publish: () => Promise.reject(new Error('ThrottlingException')) };
    const { context, done } = bench({ records: forming() }, { states: refused });
    await expect(etcdPass(context)).rejects.toThrow('ThrottlingException');
    expect(done).toEqual([]);
  });

  it('is existing for a member in service whose parameter still says new, and written once', async () => {
    const { context, done } = bench({ states: { 1: 'existing', 2: 'new', 3: 'existing' } });
    await etcdPass(context);
    await etcdPass(context);
    expect(done).toEqual([`publish ${id(2)} existing`]);
  });

  it('is not that of an earlier birth: it is deleted before a record shows the first members', async () => {
    const { context, done } = bench({
      groups: [groupOf({ 1: 'InService', 2: 'InService', 3: 'InService' })],
      records: [],
      states: { 1: 'new', 2: 'new', 3: 'new' },
      statuses: {},
    });
    await etcdPass(context);
    expect(done).toEqual([
      ...[1, 2, 3].map((number) => `forget ${id(number)}`),
      expect.stringMatching(/^change \d+ records$/),
    ]);
  });

  it('is not new from the memory of a warm function, once an operator has declared the birth lost', async () => {
    const { context, done, memory } = bench({ records: [], states: {}, statuses: { 1: answers() } });
    memory.rememberZone({ records: forming('drover-20261121T200544Z'), foreign: [] });
    await etcdPass(context);
    expect(done.filter((what) => what.startsWith('publish'))).toEqual([]);
  });
});

describe('a member whose instance EC2 does not know', () => {
  /** Passes over a zone that keeps its records, with the time since the first of them in seconds. */
  const passes = (isSafe = true) => {
    const start = 10_000_000;
    let now = start;
    const clock = { now: () => now };
    let content: ZoneContent = { records: bornWith(1, 2, 3), foreign: [] };
    const { context, done } = bench(
      {
        groups: [groupOf({ 1: 'InService', 2: 'InService' })],
        machines: [machine(1), machine(2)],
        statuses: isSafe ? { 1: answers(), 2: answers() } : { 1: answers() },
      },
      {
        clock,
        memory: createEtcdMemory(clock),
        zone: {
          read: async () => content,
          change: async (changes) => {
            content = afterChanges(content, changes);
            return 'C1';
          },
          isInSync: async () => true,
        },
      },
    );
    const passAt = (seconds: number) => {
      now = start + seconds * 1000;
      return etcdPass(context);
    };
    const mark = () => findHostMarks(content.records, settings.naming).get(id(3));
    return { passAt, done, mark };
  };

  it('is removed by the pass that confirms it after five minutes, and its records go', async () => {
    const { passAt, done, mark } = passes();
    await passAt(0);
    expect(mark()?.trouble).toEqual({ kind: 'missing', since: 10_000 });
    expect((await passAt(5)).status).toBe('done');
    await passAt(299);
    expect(done).toEqual([]);
    expect(await passAt(300)).toMatchObject({ reason: `removed ${id(3)}: its instance is gone` });
    expect(done).toEqual([`forget ${id(3)}`, 'remove 3']);
    await passAt(301);
    expect(mark()).toBeUndefined();
  });

  it('is not removed by the first pass after a day without any: EC2 may have known the instance in between', async () => {
    const { passAt, done, mark } = passes();
    await passAt(0);
    await passAt(86_400);
    expect(mark()?.trouble).toEqual({ kind: 'missing', since: 96_400 });
    await passAt(86_405);
    expect(done).toEqual([]);
    expect(await passAt(86_700)).toMatchObject({ reason: `removed ${id(3)}: its instance is gone` });
  });

  it('is a problem while its removal would break the quorum, and its finding stays on record', async () => {
    const { passAt, done, mark } = passes(false);
    await passAt(0);
    await passAt(5);
    for (const seconds of [300, 305, 900])
      expect(await passAt(seconds)).toMatchObject({ facts: { etcdProblems: 1 } });
    expect(mark()?.trouble).toEqual({ kind: 'missing', since: 10_000 });
    expect(done).not.toContain('remove 3');
  });
});

describe('a member whose instance EC2 reclaims', () => {
  const at = (seconds: number) => new Date(10_000_000 + seconds * 1000).toISOString();
  const taken = (seconds: number) => ({
    cause: 'taken' as const,
    domain: 'etcd.example.internal',
    noticedAt: at(0),
    instanceId: id(3),
    deadline: at(seconds),
  });
  const two: Furniture = {
    groups: [groupOf({ 2: 'InService', 3: 'InService' }, { desiredCapacity: 3 })],
    members: [member(2), member(3)],
    records: bornWith(2, 3),
    machines: [machine(2), machine(3, { lifecycle: 'spot' })],
  };

  it('is removed before Auto Scaling lets it leave, also if one is missing already', async () => {
    const { context, done } = bench(two);
    const { reason } = await etcdPass(context, [taken(110)]);
    expect(reason).toBe(`removed ${id(3)}: its instance leaves, and cannot wait any longer`);
    expect(done).toEqual(['remove 3']);
  });

  const warnings = [
    { warning: 'spot-interruption', spotOnly: true },
    { warning: 'capacity-reservation' },
    // Of older versions, which name no warning.
    { spotOnly: true },
    {},
  ] as const;
  const lifecycles = [
    'spot',
    'capacity-block',
    'interruptible-capacity-reservation',
    'scheduled',
    'Spot',
    'capacity-block ',
    '',
    undefined,
  ];

  it.each(warnings.flatMap((warned) => lifecycles.map((lifecycle) => ({ warned, lifecycle }))))(
    'of lifecycle $lifecycle leaves only on a warning that EC2 sends about it: $warned',
    async (row) => {
      const { warned, lifecycle } = row;
      const { context, done } = bench({ ...two, machines: [machine(2), machine(3, { lifecycle })] });
      await etcdPass(context, [{ ...taken(110), ...warned }]);
      const isSpot = lifecycle === 'spot' && (!('warning' in warned) || 'spotOnly' in warned);
      const isReserved = lifecycle === 'capacity-block' || lifecycle === 'interruptible-capacity-reservation';
      expect(done).toEqual(isSpot || (isReserved && !('spotOnly' in warned)) ? ['remove 3'] : []);
    },
  );

  it('stays if the warning is for Spot Instances, and EC2 does not know the instance', async () => {
    const { context, done } = bench(two);
    const describeInstance = async (instanceId: string) =>
      instanceId === id(3) ? undefined : await context.ec2.describeInstance(instanceId);
    await etcdPass({ ...context, ec2: { describeInstance } }, [{ ...taken(110), spotOnly: true }]);
    expect(done.filter((one) => one.startsWith('remove'))).toEqual([]);
  });

  it('is not added again until that time', async () => {
    const { context, done } = bench({ ...two, members: [member(2)], records: bornWith(2) });
    expect(await etcdPass(context, [taken(60)])).toMatchObject({
      status: 'again',
      reason: `EC2 reclaims ${id(3)} at ${at(60)}`,
    });
    expect(done).toEqual([]);
  });

  it('stays if it still exists after that time', async () => {
    const { context, done } = bench(two);
    expect((await etcdPass(context, [taken(0)])).status).toBe('done');
    expect(done).toEqual([]);
  });

  it('continues its launch if it is not in service yet', async () => {
    const groups = [groupOf({ 1: 'InService', 2: 'InService', 3: 'Pending:Wait' })];
    const { context, done } = bench({ groups });
    await etcdPass(context, [taken(60)]);
    expect(done).toContain(`CONTINUE ${id(3)}`);
    expect(done).not.toContain('remove 3');
  });
});

describe('the hook of an instance', () => {
  it('is completed by the next pass if Auto Scaling fails', async () => {
    const { context, done } = bench({
      groups: [leaving],
      members: [member(1), member(2)],
      records: bornWith(1, 2),
    });
    const failing = {
      ...context.autoScaling,
      complete: async () => await Promise.reject(new Error('throttled')),
    };
    await expect(etcdPass({ ...context, autoScaling: failing })).rejects.toThrow('throttled');
    await etcdPass(context);
    expect(done).toContain(`CONTINUE ${id(3)}`);
  });

  /** Takes a turn of the event loop, as a call to AWS does. */
  const later =
    (done: string[], what: string) =>
    async ({ instanceId }: { readonly instanceId: string }): Promise<void> => {
      await new Promise((resolve) => setImmediate(resolve));
      done.push(`${what} ${instanceId}`);
    };

  it('is completed only after Parameter Store has deleted the state of a leaving instance', async () => {
    const { states } = createPassBench().context;
    const order: string[] = [];
    const forget = async (instanceId: string) => await later(order, 'forgotten')({ instanceId });
    const members = [member(1), member(2)];
    const { context, done } = bench(
      { groups: [leaving], members, records: bornWith(1, 2) },
      { states: { ...states, forget } },
    );
    const { complete } = context.autoScaling;
    const autoScaling = {
      ...context.autoScaling,
      complete: async (...input: Parameters<typeof complete>) => {
        order.push('completed');
        return await complete(...input);
      },
    };
    await etcdPass({ ...context, autoScaling });
    expect(order).toEqual([`forgotten ${id(3)}`, 'completed']);
    expect(done).toContain(`CONTINUE ${id(3)}`);
  });

  it('is completed only after Parameter Store has what a member starts as', async () => {
    const groups = [groupOf({ 1: 'Pending:Wait', 2: 'InService', 3: 'InService' })];
    const { context, done } = bench({ groups, etcd: 'unreached' });
    const states = { ...context.states, publish: later(done, 'published') };
    await etcdPass({ ...context, states });
    expect(done.at(-1)).toBe(`CONTINUE ${id(1)}`);
    expect(done).toContain(`published ${id(1)}`);
  });

  it('is completed once it is not a member, and its parameter is deleted', async () => {
    const { context, done } = bench({
      groups: [leaving],
      members: [member(1), member(2)],
      records: bornWith(1, 2),
    });
    expect((await etcdPass(context)).status).toBe('done');
    expect(done).toEqual([`heartbeat ${id(3)}`, `forget ${id(3)}`, `CONTINUE ${id(3)}`]);
  });

  it('is left alone once Auto Scaling reports it as not active', async () => {
    const { context, done } = bench({
      groups: [leaving],
      members: [member(1), member(2)],
      records: bornWith(1, 2),
      areWaitsOver: true,
    });
    await etcdPass(context);
    const completed = [...done];
    expect(completed.at(-1)).toBe(`CONTINUE ${id(3)}`);
    await etcdPass(context);
    expect(done).toEqual(completed);
  });

  it('is kept for a member that cannot be removed, and retried less often if there is a problem', async () => {
    const lastOne = bench({
      groups: [groupOf({ 3: 'Terminating:Wait' }, { desiredCapacity: 0 })],
      members: [member(3)],
      records: waitingAlone(3),
    });
    const outcome = await etcdPass(lastOne.context);
    expect(outcome).toMatchObject({ status: 'again', afterSeconds: 20, facts: { waiting: 1 } });
    expect(outcome.reason).toMatch(/the last member/);
    const starting = bench({
      groups: [groupOf({ 1: 'InService', 2: 'InService', 4: 'Pending:Wait' })],
      members: [member(1), member(2), member(4, { isLearner: true, clientUrls: [] })],
      records: bornAt(9500, 1, 2, 4),
    });
    expect(await etcdPass(starting.context)).toMatchObject({
      status: 'again',
      afterSeconds: 10,
      reason: `${id(4)}: its etcd has not started yet`,
    });
    expect([...lastOne.done, ...starting.done].filter((what) => what.startsWith('CONTINUE'))).toEqual([]);
  });
});

describe('a pass in which calls for single instances fail', () => {
  const gone = [4, 5, 6];
  const leavingOf = () =>
    groupOf({
      1: 'InService',
      2: 'InService',
      3: 'InService',
      ...Object.fromEntries(gone.map((number) => [number, 'Terminating:Wait'])),
    });

  it('completes the hook of one although the start state of another could not be published', async () => {
    const { context, done } = bench({
      groups: [groupOf({ 1: 'InService', 2: 'InService', 3: 'InService', 4: 'Terminating:Wait' })],
      statuses: { 1: answers(), 2: answers() },
    });
    const struck = {
      ...context,
      zone: { ...context.zone, isInSync: async () => true },
      states: {
        ...context.states,
        publish: async ({ instanceId }: { readonly instanceId: string }) => {
          if (instanceId === id(3)) throw new Error('ThrottlingException');
        },
      },
    };
    // The first pass marks in the records that a member is silent.
    expect(await etcdPass(struck)).toMatchObject({ facts: { waitsFor: 'dns' } });
    await expect(etcdPass(struck)).rejects.toThrow(
      `${id(3)}: its start state was not published: ThrottlingException`,
    );
    expect(done).toContain(`CONTINUE ${id(4)}`);
  });

  it('completes the hooks of all others, and names the failed ones', async () => {
    await fc.assert(
      fc.asyncProperty(fc.subarray(gone), fc.subarray(gone), async (unforgotten, uncompleted) => {
        const furniture = { groups: [leavingOf()], machines: [1, 2, 3, 4, 5, 6].map((one) => machine(one)) };
        const { context, done } = bench(furniture);
        const fails = (numbers: readonly number[], instanceId: string): boolean =>
          numbers.some((number) => id(number) === instanceId);
        const pass = etcdPass({
          ...context,
          states: {
            ...context.states,
            forget: async (instanceId) => {
              if (fails(unforgotten, instanceId)) throw new Error('AccessDenied');
            },
          },
          autoScaling: {
            ...context.autoScaling,
            complete: async (action, result) => {
              if (fails(uncompleted, action.instanceId)) throw new Error('Throttling');
              return await context.autoScaling.complete(action, result);
            },
          },
        });
        const failed = gone.filter((one) => unforgotten.includes(one) || uncompleted.includes(one));
        const message = await pass.then(() => '', String);
        for (const number of failed) expect(message).toContain(`${id(number)}: its hook was not completed: `);
        expect(message === '').toBe(failed.length === 0);
        expect(done.filter((what) => what.startsWith('CONTINUE'))).toEqual(
          gone.filter((one) => !failed.includes(one)).map((one) => `CONTINUE ${id(one)}`),
        );
      }),
      { numRuns: 30 },
    );
  });
});
