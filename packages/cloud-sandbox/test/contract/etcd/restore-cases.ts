import { expect } from 'vitest';
import type { EtcdEndpoint } from './client.ts';
import { endpointsOf, formed, listed, whenHealthy } from './support.ts';
import type { EtcdWorld } from './world.ts';

async function snapshotOf(world: EtcdWorld, endpoint: EtcdEndpoint): Promise<Uint8Array> {
  const chunks: Uint8Array[] = [];
  for await (const chunk of world.snapshot(endpoint)) chunks.push(chunk);
  return Buffer.concat(chunks);
}

const base64 = (text: string): string => Buffer.from(text).toString('base64');

/** A cluster of three with a key, its snapshot, and an instance for what is restored. */
async function saved(world: EtcdWorld) {
  const members = await formed(world, 3);
  const [first] = members;
  const [next] = await world.members(1);
  if (first === undefined || next === undefined) throw new Error('there are no members');
  const put = await world.post(first.endpoint, '/v3/kv/put', { key: base64('key'), value: base64('kept') });
  expect(put.status).toBe(200);
  return { members, next, snapshot: await snapshotOf(world, first.endpoint) };
}

/** What becomes of a snapshot that was streamed over the gateway. */
export const restoreCases: Readonly<Record<string, (world: EtcdWorld) => Promise<void>>> = {
  'a snapshot can be restored as a new cluster with all keys': async (world) => {
    const { members, next, snapshot } = await saved(world);
    const before = await listed(world, members);
    for (const member of members) await world.kill(member);
    await world.restore(next, snapshot);
    await whenHealthy(world, next);
    const after = await listed(world, [next]);
    expect(after.members.map(({ name }) => name)).toEqual([next.name]);
    expect(after.clusterId).not.toBe(before.clusterId);
    const read = await world.post(next.endpoint, '/v3/kv/range', { key: base64('key') });
    expect(JSON.parse(read.body)).toMatchObject({ kvs: [{ value: base64('kept') }] });
  },
  'members can join a restored cluster': async (world) => {
    const { next, snapshot } = await saved(world);
    await world.restore(next, snapshot);
    await whenHealthy(world, next);
    const [joining] = await world.members(1);
    if (joining === undefined) throw new Error('there is no member to join');
    await world.etcd().addLearner(endpointsOf([next]), [joining.peerUrl]);
    await world.start(joining, { state: 'existing', with: [next, joining] });
    await whenHealthy(world, joining);
    expect((await listed(world, [next])).members).toHaveLength(2);
  },
  'a snapshot with a changed byte cannot be restored': async (world) => {
    const { next, snapshot } = await saved(world);
    snapshot[100] = (snapshot[100] ?? 0) ^ 1;
    await expect(world.restore(next, snapshot)).rejects.toThrow(/sha256/);
  },
};
