import { describe, expect, it } from 'vitest';
import { findHealthyMember } from '../../../shared/etcd/healthy-member.ts';
import { createPassBench, type Furniture, groupOf, machine } from '../../support/etcd/pass-bench.ts';
import { answers, id } from '../../support/etcd/sights.ts';

const find = (furniture: Furniture) =>
  findHealthyMember(
    createPassBench({ groups: [groupOf({ 1: 'InService', 2: 'InService', 3: 'InService' })], ...furniture })
      .world,
  );
const machines = [machine(1, { state: 'stopped' }), machine(2), machine(3)];

describe('a healthy member', () => {
  it('is one that runs, votes and serves with quorum', async () => {
    const statuses = { 1: answers(), 2: answers({ isLearner: true }), 3: answers() };
    expect(await find({ machines, statuses })).toEqual({
      clusterId: '9a3f',
      endpoint: { url: 'https://10.0.0.3:2379', serverName: `${id(3)}.etcd.example.internal` },
    });
  });

  it.each([
    ['nobody answers', { machines, statuses: {} }],
    ['nobody has quorum', { machines, statuses: { 3: answers({ healthy: false }) } }],
    ['EC2 knows none of them', { statuses: { 3: answers() } }],
    ['etcd is out of reach', { machines, etcd: 'unreached', statuses: { 3: answers() } }],
  ] as const)('is none where %s', async (_, furniture) => {
    expect(await find(furniture)).toBeUndefined();
  });
});
