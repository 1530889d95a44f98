import { describe, expect, it } from 'vitest';
import { findHealthyMember } from '../../../shared/etcd/healthy-member.ts';
import { answers, id } from '../../support/etcd/observations.ts';
import { createPassBench, type Furniture, groupOf, machine } from '../../support/etcd/pass-bench.ts';

const find = (furniture: Furniture) =>
  findHealthyMember(
    createPassBench({ groups: [groupOf({ 1: 'InService', 2: 'InService', 3: 'InService' })], ...furniture })
      .context,
  );
const machines = [machine(1, { state: 'stopped' }), machine(2), machine(3)];

describe('findHealthyMember', () => {
  it('finds a member that runs, votes and has quorum', async () => {
    const statuses = { 1: answers(), 2: answers({ isLearner: true }), 3: answers() };
    expect(await find({ machines, statuses })).toEqual({
      clusterId: '9a3f',
      endpoint: { url: 'https://10.0.0.3:2379', serverName: `${id(3)}.etcd.example.internal` },
    });
  });

  it.each([
    ['no member answers', { machines, statuses: {} }],
    ['no member has quorum', { machines, statuses: { 3: answers({ healthy: false }) } }],
    ['EC2 knows none of them', { statuses: { 3: answers() } }],
    ['etcd is out of reach', { machines, etcd: 'unreached', statuses: { 3: answers() } }],
  ] as const)('finds none if %s', async (_, furniture) => {
    expect(await find(furniture)).toBeUndefined();
  });
});
