import { createHash } from 'node:crypto';
import { expect } from 'vitest';
import {
  endpointsOf,
  formed,
  idOf,
  listed,
  refusal,
  steadyCluster,
  until,
  unusedPeerUrl,
  whenHealthy,
} from './support.ts';
import type { EtcdWorld } from './world.ts';

const silentForCertificate = { kind: 'silent', why: 'certificate' };

/** What the client ports answer, and to whom. */
export const gatewayCases: Readonly<Record<string, (world: EtcdWorld) => Promise<void>>> = {
  'a learner refuses cluster requests, and answers its own status': async (world) => {
    const members = await steadyCluster(world, 1);
    const [newcomer] = await world.members(1);
    if (newcomer === undefined) throw new Error('there is no newcomer');
    await world.etcd().addLearner(endpointsOf(members), [newcomer.peerUrl]);
    await world.start(newcomer, { state: 'existing', with: [...members, newcomer] });
    await whenHealthy(world, newcomer);
    const refused = await world.post(newcomer.endpoint, '/v3/cluster/member/list', {});
    expect(refused.status).not.toBe(200);
    expect(refused.body).toContain('rpc not supported for learner');
    const list = await world.etcd().members(endpointsOf([newcomer, ...members]));
    expect(list.members).toHaveLength(2);
  },
  'the client skips an endpoint that does not answer': async (world) => {
    const members = await formed(world, 3);
    const [first] = members;
    if (first === undefined) throw new Error('there is no member');
    await world.kill(first);
    await world.pass(3);
    expect(await world.etcd().status(first.endpoint)).toMatchObject({ kind: 'silent', why: 'unreachable' });
    expect((await listed(world, members)).members).toHaveLength(3);
  },
  'members with the alarm NOSPACE are unhealthy unless it is excluded, refuse writes, and change their membership':
    async (world) => {
      const members = await steadyCluster(world, 3);
      const [first] = members;
      if (first === undefined) throw new Error('there is no member');
      const memberID = await idOf(world, members, first);
      const alarm = { memberID, alarm: 'NOSPACE' };
      const ask = (path: string, body: object) => world.post(first.endpoint, path, body);
      expect((await ask('/v3/maintenance/alarm', { ...alarm, action: 'ACTIVATE' })).status).toBe(200);
      await until(world, 'every member knows the alarm', {
        holds: async () => {
          const health = await Promise.all(members.map(({ endpoint }) => world.get(endpoint, '/health')));
          return health.every(({ status }) => status === 503);
        },
      });
      for (const { endpoint } of members) {
        expect((await world.get(endpoint, '/health')).body).toContain('"health":"false"');
        expect((await world.get(endpoint, '/health?exclude=NOSPACE')).status).toBe(200);
        const status = await world.post(endpoint, '/v3/maintenance/status', {});
        const { errors } = JSON.parse(status.body) as { readonly errors?: readonly string[] };
        expect(errors?.map((text) => text.trim())).toEqual([`memberID:${memberID} alarm:NOSPACE`]);
      }
      const write = await ask('/v3/kv/put', { key: 'AA==', value: 'AA==' });
      expect(write.status).not.toBe(200);
      expect(write.body).toContain('database space exceeded');
      expect((await listed(world, members)).members).toHaveLength(3);
      const { id } = await world.etcd().addLearner(endpointsOf(members), [unusedPeerUrl]);
      await world.etcd().remove(endpointsOf(members), id);
      expect((await ask('/v3/maintenance/alarm', { ...alarm, action: 'DEACTIVATE' })).status).toBe(200);
      await whenHealthy(world, first);
      expect((await ask('/v3/kv/put', { key: 'AA==', value: 'AA==' })).status).toBe(200);
    },
  'the gateway accepts only POST requests': async (world) => {
    const members = await formed(world, 1);
    for (const { endpoint } of members) {
      const { status } = await world.get(endpoint, '/v3/cluster/member/list');
      expect(status).not.toBe(200);
    }
  },
  'a snapshot is complete and ends with its hash': async (world) => {
    const members = await formed(world, 1);
    for (const { endpoint } of members) {
      const chunks: Uint8Array[] = [];
      for await (const chunk of world.snapshot(endpoint)) chunks.push(chunk);
      const whole = Buffer.concat(chunks);
      const content = whole.subarray(0, -32);
      expect(content.length).toBeGreaterThan(0);
      expect(content.length % 512).toBe(0);
      expect(createHash('sha256').update(content).digest()).toEqual(whole.subarray(-32));
      const status = await world.etcd().status(endpoint);
      expect(status).toMatchObject({ databaseBytes: content.length });
    }
  },
  'a client certificate of another authority is refused': async (world) => {
    const members = await formed(world, 1);
    const stranger = world.etcd('stranger');
    for (const { endpoint } of members)
      expect(await stranger.status(endpoint)).toMatchObject(silentForCertificate);
    await expect(stranger.members(endpointsOf(members))).rejects.toThrow(refusal('denied'));
  },
  'an expired client certificate is refused': async (world) => {
    const members = await formed(world, 1);
    const expired = world.etcd('expired');
    for (const { endpoint } of members)
      expect(await expired.status(endpoint)).toMatchObject(silentForCertificate);
    await expect(expired.members(endpointsOf(members))).rejects.toThrow(refusal('denied'));
  },
  'the client refuses a server certificate for another name': async (world) => {
    const members = await formed(world, 1);
    for (const { endpoint } of members) {
      const status = await world.etcd().status({ ...endpoint, serverName: 'other.etcd.test' });
      expect(status).toMatchObject(silentForCertificate);
    }
  },
};
