import { createHash } from 'node:crypto';
import { expect } from 'vitest';
import { endpointsOf, formed, listed, refusal, steadyCluster, whenHealthy } from './support.ts';
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
