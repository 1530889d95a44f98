import { describe, expect, it } from 'vitest';
import { EtcdError, type EtcdErrorCode } from '../../../shared/etcd/cluster.ts';
import type { EtcdContext } from '../../../shared/etcd/context.ts';
import type { EtcdStep } from '../../../shared/etcd/decision.ts';
import { makeStep } from '../../../shared/etcd/make-step.ts';
import { answers, id, instance, member, observationOf, silent } from '../../support/etcd/observations.ts';
import { createPassBench } from '../../support/etcd/pass-bench.ts';

const members = [1, 2, 3].map((number) => member(number));
const instances = [1, 2, 3].map((number) => instance(number));
const statuses = { 1: answers(), 2: answers(), 3: answers() };
const observation = observationOf({ instances, members, statuses });
const peerUrl = `https://${id(4)}.etcd.example.internal:2380`;
const add: EtcdStep = { kind: 'add', instanceId: id(4), peerUrl };
const remove: EtcdStep = { kind: 'remove', instanceId: id(1), member: member(1), why: 'its instance leaves' };
const promote: EtcdStep = { kind: 'promote', instanceId: id(3), memberId: '3' };
const benchWith = (changes: Partial<EtcdContext> = {}) => createPassBench({ members }, changes);

describe('a step', () => {
  it('to add a member ignores the versions of another cluster', async () => {
    const { context, done } = benchWith();
    const mixed = { ...statuses, 4: answers({ clusterId: 'bad', version: '3.3.0' }) };
    const scene = { instances: [...instances, instance(4)], members, statuses: mixed };
    await makeStep(context, observationOf(scene), add);
    expect(done).toEqual([`add learner ${peerUrl}`]);
  });

  it.each([
    [add, `add learner ${peerUrl}`, `added ${id(4)}`],
    [promote, 'promote 3', `promoted ${id(3)}`],
    [remove, 'remove 1', `removed ${id(1)}: its instance leaves`],
    [{ ...remove, instanceId: '' }, 'remove 1', 'removed a member: its instance leaves'],
  ])('is made once and reported: %#', async (step, what, reason) => {
    const { context, done } = benchWith();
    expect(await makeStep(context, observation, step)).toEqual({ kind: 'made', reason });
    expect(done).toEqual([what]);
  });

  it.each([
    [['3.6.16', '3.5.0', '3.4.0'], 'learner'],
    [['3.6.16', '4.0.0', '3.4.0'], 'learner'],
    [['3.4.0', '3.3.27', '3.4.0'], 'voter'],
    [['2.9.0', '3.4.0', '3.4.0'], 'voter'],
    [['', '3.4.0', '3.4.0'], 'voter'],
    [['3', '3.4.0', '3.4.0'], 'voter'],
  ])('to add a member to the versions %j adds a %s', async ([one, two, three], kind) => {
    const { context, done } = benchWith();
    const versions = {
      1: answers({ version: one ?? '' }),
      2: answers({ version: two ?? '' }),
      3: answers({ version: three ?? '' }),
    };
    await makeStep(context, observationOf({ instances, members, statuses: versions }), add);
    expect(done).toEqual([`add ${kind} ${peerUrl}`]);
  });

  it('asks the serving voters, the affected member last', async () => {
    const { context, endpoints } = benchWith();
    const mixed = {
      1: answers(),
      2: answers(),
      3: answers({ healthy: false }),
      4: answers({ isLearner: true }),
      5: silent,
      6: answers(),
      7: answers({ clusterId: 'bad', version: '3.3.0' }),
    };
    const all = [...instances, instance(4), instance(5), instance(6, { addresses: [] }), instance(7)];
    await makeStep(context, observationOf({ instances: all, members, statuses: mixed }), remove);
    expect(endpoints).toEqual(['https://10.0.0.2:2379', 'https://10.0.0.1:2379']);
  });

  it('has no endpoint and adds a voter if the members were not asked', async () => {
    const { context, done, endpoints } = benchWith();
    const unasked = { ...observation, cluster: { kind: 'not-asked' } } as const;
    await makeStep(context, unasked, add);
    await makeStep(context, unasked, remove);
    expect(done).toEqual([`add voter ${peerUrl}`, 'remove 1']);
    expect(endpoints).toEqual([]);
  });

  it('fails if the deployment cannot reach etcd', async () => {
    const { context } = createPassBench({ etcd: 'unreached' });
    await expect(makeStep(context, observation, add)).rejects.toThrow(TypeError);
  });
});

describe('a refusal of etcd', () => {
  const kinds: Readonly<Record<EtcdErrorCode, 'waits' | 'refused'>> = {
    'not-found': 'waits',
    'not-in-sync': 'waits',
    'peer-exists': 'waits',
    unsafe: 'refused',
    'learner-exists': 'refused',
    'no-quorum': 'refused',
    denied: 'refused',
    other: 'refused',
  };

  it.each(Object.entries(kinds) as [EtcdErrorCode, string][])('with %s %s', async (code, kind) => {
    const { context, failures, done } = benchWith();
    failures.change = new EtcdError(code, 'no');
    const result = await makeStep(context, observation, promote);
    const words = kind === 'waits' ? 'not yet' : 'etcd refuses';
    expect(result).toEqual({ kind, reason: `${words} to promote ${id(3)}: no` });
    expect(done).toEqual([]);
  });

  it('does not cover other errors, which fail the pass', async () => {
    const { context, failures } = benchWith();
    failures.change = new TypeError('a mistake of ours');
    await expect(makeStep(context, observation, remove)).rejects.toBe(failures.change);
  });
});

describe('a removal', () => {
  it('waits for a fresh snapshot of the cluster', async () => {
    const { context, done } = benchWith({
      staleSnapshotReason: async (clusterId) => `there is no snapshot of ${clusterId}`,
    });
    const reason = `${id(1)} is not removed yet: there is no snapshot of 9a3f`;
    expect(await makeStep(context, observation, remove)).toEqual({ kind: 'waits', reason });
    expect(done).toEqual([]);
  });

  it.each([
    ['not in a group any more', [instance(2), instance(3)]],
    ['gone', [instance(1, { runs: false, gone: true }), instance(2), instance(3)]],
  ])('of a member whose instance is %s deletes its published state first', async (_, left) => {
    const { context, done } = benchWith();
    await makeStep(context, observationOf({ instances: left, members, statuses }), remove);
    expect(done).toEqual([`forget ${id(1)}`, 'remove 1']);
  });

  it('is made once there is one', async () => {
    const { context, done } = benchWith({ staleSnapshotReason: async () => undefined });
    expect(await makeStep(context, observation, remove)).toMatchObject({ kind: 'made' });
    expect(done).toEqual(['remove 1']);
  });
});
