import { describe, expect, it } from 'vitest';
import { findHealthyMembers } from '../../../shared/etcd/healthy-members.ts';
import { answers, id } from '../../support/etcd/observations.ts';
import { createPassBench, type Furniture, groupOf, machine } from '../../support/etcd/pass-bench.ts';

const find = async (furniture: Furniture) => {
  const groups = [groupOf({ 1: 'InService', 2: 'InService', 3: 'InService' })];
  const { healthy, instances } = await findHealthyMembers(createPassBench({ groups, ...furniture }).context);
  expect(instances).toBe(3);
  return healthy;
};
const machines = [machine(1, { state: 'stopped' }), machine(2), machine(3)];

const source = (number: number) => ({
  clusterId: '9a3f',
  revision: '1',
  endpoint: { url: `https://10.0.0.${number}:2379`, serverName: `${id(number)}.etcd.example.internal` },
});

describe('findHealthyMembers', () => {
  it('finds the members that run, vote and have quorum, in the order of the groups', async () => {
    const all = [machine(1), machine(2), machine(3)];
    const statuses = { 1: answers(), 2: answers({ healthy: false }), 3: answers() };
    expect(await find({ machines: all, statuses })).toEqual([source(1), source(3)]);
  });

  it('finds those of the cluster that has the most', async () => {
    const all = [machine(1), machine(2), machine(3)];
    const statuses = { 1: answers({ clusterId: 'dead' }), 2: answers(), 3: answers() };
    expect(await find({ machines: all, statuses })).toEqual([source(2), source(3)]);
  });

  it('leaves out stopped instances and learners', async () => {
    const statuses = { 1: answers(), 2: answers({ isLearner: true }), 3: answers() };
    expect(await find({ machines, statuses })).toEqual([source(3)]);
  });

  it.each([
    ['no member answers', { machines, statuses: {} }],
    ['no member has quorum', { machines, statuses: { 3: answers({ healthy: false }) } }],
    ['EC2 knows none of them', { statuses: { 3: answers() } }],
    ['etcd is out of reach', { machines, etcd: 'unreached', statuses: { 3: answers() } }],
  ] as const)('finds none if %s', async (_, furniture) => {
    expect(await find(furniture)).toEqual([]);
  });
});
