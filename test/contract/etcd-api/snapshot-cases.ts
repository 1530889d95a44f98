import { createHash } from 'node:crypto';
import { formed } from '@drover/cloud-sandbox/test/contract/etcd/support.ts';
import type { Cases } from '@drover/cloud-sandbox/truth/contract.ts';
import { expect } from 'vitest';
import { bytesOf, clientOf, type EtcdApiWorld, firstOf, isError } from './support.ts';

const hashBytes = 32;
const base64 = (text: string): string => Buffer.from(text).toString('base64');

/** Longer than one blob of etcd, which has 32 KB, so that the stream has several lines. */
const value = 'x'.repeat(100_000);

export const snapshotCases: Cases<EtcdApiWorld> = {
  'Drover streams a snapshot of several lines, with the hash of the database at its end': async (world) => {
    const { cluster, snapshots } = clientOf(world);
    const { endpoint } = firstOf(await formed(world.members, 1));
    const put = await world.members.post(endpoint, '/v3/kv/put', {
      key: base64('key'),
      value: base64(value),
    });
    expect(put.status).toBe(200);
    const snapshot = await bytesOf(snapshots, endpoint);
    const database = snapshot.subarray(0, -hashBytes);
    expect(createHash('sha256').update(database).digest()).toEqual(snapshot.subarray(-hashBytes));
    expect(database.length).toBeGreaterThan(value.length);
    expect(await cluster.status(endpoint)).toMatchObject({ databaseBytes: database.length, revision: '2' });
  },

  'Drover gets no snapshot with a refused certificate, nor from a member that does not answer': async (
    world,
  ) => {
    const member = firstOf(await formed(world.members, 1));
    for (const caller of ['stranger', 'expired'] as const) {
      const { snapshots } = clientOf(world, caller);
      await expect(bytesOf(snapshots, member.endpoint)).rejects.toThrow(isError('denied'));
    }
    await world.members.kill(member);
    const { snapshots } = clientOf(world);
    await expect(bytesOf(snapshots, member.endpoint)).rejects.toThrow(isError('no-quorum'));
  },
};
