import { describe, expect, it } from 'vitest';
import { EtcdError, type EtcdErrorCode } from '../../../shared/etcd/cluster.ts';
import type { EtcdStep } from '../../../shared/etcd/decision.ts';
import { makeStep } from '../../../shared/etcd/step.ts';
import type { EtcdWorld } from '../../../shared/etcd/world.ts';
import { createPassBench } from '../../support/etcd/pass-bench.ts';
import { answers, id, instance, member, sightOf, silent } from '../../support/etcd/sights.ts';

const members = [1, 2, 3].map((number) => member(number));
const instances = [1, 2, 3].map((number) => instance(number));
const statuses = { 1: answers(), 2: answers(), 3: answers() };
const sight = sightOf({ instances, members, statuses });
const peerUrl = `https://${id(4)}.etcd.example.internal:2380`;
const add: EtcdStep = { kind: 'add', instanceId: id(4), peerUrl };
const remove: EtcdStep = { kind: 'remove', instanceId: id(1), member: member(1), why: 'its instance leaves' };
const promote: EtcdStep = { kind: 'promote', instanceId: id(3), memberId: '3' };
const benchWith = (changes: Partial<EtcdWorld> = {}) => createPassBench({ members }, changes);

describe('a step', () => {
  it.each([
    [add, `add learner ${peerUrl}`, `added ${id(4)}`],
    [promote, 'promote 3', `promoted ${id(3)}`],
    [remove, 'remove 1', `removed ${id(1)}: its instance leaves`],
    [{ ...remove, instanceId: '' }, 'remove 1', 'removed a member: its instance leaves'],
  ])('is made once, and says what it was: %#', async (step, what, reason) => {
    const { world, done } = benchWith();
    expect(await makeStep(world, sight, step)).toEqual({ kind: 'made', reason });
    expect(done).toEqual([what]);
  });

  it.each([
    [['3.6.16', '3.5.0', '3.4.0'], 'learner'],
    [['3.6.16', '4.0.0', '3.4.0'], 'learner'],
    [['3.4.0', '3.3.27', '3.4.0'], 'voter'],
    [['2.9.0', '3.4.0', '3.4.0'], 'voter'],
    [['', '3.4.0', '3.4.0'], 'voter'],
    [['3', '3.4.0', '3.4.0'], 'voter'],
  ])('adds, to a cluster of the versions %j, a %s', async ([one, two, three], kind) => {
    const { world, done } = benchWith();
    const versions = {
      1: answers({ version: one ?? '' }),
      2: answers({ version: two ?? '' }),
      3: answers({ version: three ?? '' }),
    };
    await makeStep(world, sightOf({ instances, members, statuses: versions }), add);
    expect(done).toEqual([`add ${kind} ${peerUrl}`]);
  });

  it('asks the voters that serve, the one that it is about last', async () => {
    const { world, endpoints } = benchWith();
    const mixed = {
      1: answers(),
      2: answers(),
      3: answers({ healthy: false }),
      4: answers({ isLearner: true }),
      5: silent,
      6: answers(),
    };
    const all = [...instances, instance(4), instance(5), instance(6, { addresses: [] })];
    await makeStep(world, sightOf({ instances: all, members, statuses: mixed }), remove);
    expect(endpoints).toEqual(['https://10.0.0.2:2379', 'https://10.0.0.1:2379']);
  });

  it('asks nobody, and adds no learner, where nobody has told what they are', async () => {
    const { world, done, endpoints } = benchWith();
    const unasked = { ...sight, cluster: { kind: 'not-asked' } } as const;
    await makeStep(world, unasked, add);
    await makeStep(world, unasked, remove);
    expect(done).toEqual([`add voter ${peerUrl}`, 'remove 1']);
    expect(endpoints).toEqual([]);
  });

  it('cannot be made where etcd is not reached', async () => {
    const { world } = createPassBench({ etcd: 'unreached' });
    await expect(makeStep(world, sight, add)).rejects.toThrow(TypeError);
  });
});

describe('what etcd refuses', () => {
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
    const { world, failures, done } = benchWith();
    failures.change = new EtcdError(code, 'no');
    const result = await makeStep(world, sight, promote);
    const words = kind === 'waits' ? 'not yet' : 'etcd refuses';
    expect(result).toEqual({ kind, reason: `${words} to promote ${id(3)}: no` });
    expect(done).toEqual([]);
  });

  it('is an answer; whatever else breaks fails the pass', async () => {
    const { world, failures } = benchWith();
    failures.change = new TypeError('a mistake of ours');
    await expect(makeStep(world, sight, remove)).rejects.toBe(failures.change);
  });
});

describe('a removal', () => {
  it('waits for a fresh snapshot of the cluster', async () => {
    const { world, done } = benchWith({
      reasonForSnapshot: async (clusterId) => `there is no snapshot of ${clusterId}`,
    });
    const reason = `${id(1)} is kept: there is no snapshot of 9a3f`;
    expect(await makeStep(world, sight, remove)).toEqual({ kind: 'waits', reason });
    expect(done).toEqual([]);
  });

  it('is made once there is one', async () => {
    const { world, done } = benchWith({ reasonForSnapshot: async () => undefined });
    expect(await makeStep(world, sight, remove)).toMatchObject({ kind: 'made' });
    expect(done).toEqual(['remove 1']);
  });
});
