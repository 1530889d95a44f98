import { expect } from 'vitest';
import { endpointsOf, idOf, listed, steady, whenEnded, whenHealthy } from './support.ts';
import type { EtcdWorld, TestMember } from './world.ts';
import { recordsOf } from './zone.ts';

const fromRecords = { records: {} };

/** A cluster that was born of the records. */
async function born(world: EtcdWorld, size: number): Promise<readonly TestMember[]> {
  const members = await world.members(size);
  await world.publish(recordsOf(members));
  for (const member of members) await world.start(member, { state: 'new', ...fromRecords });
  for (const member of members) await whenHealthy(world, member);
  return members;
}

async function newcomerTo(world: EtcdWorld): Promise<TestMember> {
  const [newcomer] = await world.members(1);
  if (newcomer === undefined) throw new Error('there is no newcomer');
  return newcomer;
}

/** How members find one another by the SRV records of a zone. */
export const srvCases: Readonly<Record<string, (world: EtcdWorld) => Promise<void>>> = {
  'members that read the whole set form one cluster': async (world) => {
    const members = await born(world, 3);
    const list = await listed(world, members);
    expect(list.members.map(({ name }) => name).sort()).toEqual(['m1', 'm2', 'm3']);
    expect(list.members.map(({ peerUrls }) => peerUrls.join()).sort()).toEqual(
      members.map(({ peerUrl }) => peerUrl),
    );
  },
  'members that read different parts of the set form separate clusters, which the whole set does not merge':
    async (world) => {
      const members = await world.members(3);
      for (const [index, member] of members.entries()) {
        await world.publish(recordsOf(members.slice(0, index + 1)));
        await world.start(member, { state: 'new', ...fromRecords });
        await world.pass(2);
      }
      await world.publish(recordsOf(members));
      await world.pass(2);
      const statuses = await Promise.all(
        endpointsOf(members).map((endpoint) => world.etcd().status(endpoint)),
      );
      expect(statuses.map(({ kind }) => kind)).toEqual(['answers', 'silent', 'silent']);
      expect(members.map((member) => world.ended(member))).toEqual([undefined, undefined, undefined]);
    },
  'a target without an address is skipped without an error': async (world) => {
    const members = await world.members(3);
    const known = members.slice(0, 2);
    await world.publish(recordsOf(members, { hosts: known }));
    for (const member of known) await world.start(member, { state: 'new', ...fromRecords });
    for (const member of known) await whenHealthy(world, member);
    expect((await listed(world, known)).members).toHaveLength(2);
  },
  'a member that is not in the set exits': async (world) => {
    const members = await world.members(2);
    const [first, second] = members;
    if (first === undefined || second === undefined) throw new Error('there are no members');
    await world.publish(recordsOf([first], { hosts: members }));
    await world.start(second, { state: 'new', ...fromRecords });
    await whenEnded(world, second);
    expect(world.ended(second)).toMatchObject({
      code: 1,
      output: expect.stringContaining('cannot find local etcd member') as string,
    });
  },
  'members of another service name do not discover the first ones': async (world) => {
    const members = await world.members(1);
    await world.publish(recordsOf(members, { service: '_etcd-server-ssl-blue' }));
    for (const member of members) {
      await world.start(member, { state: 'new', records: { discoverySrvName: 'blue' } });
      await whenHealthy(world, member);
    }
  },
  'a replacement joins once it is in the set and in the member list': async (world) => {
    const members = await born(world, 3);
    await steady(world);
    const newcomer = await newcomerTo(world);
    const [first, second, leaving] = members;
    if (first === undefined || second === undefined || leaving === undefined)
      throw new Error('there are not three');
    const staying = [first, second];
    const etcd = world.etcd();
    await etcd.remove(endpointsOf(staying), await idOf(world, staying, leaving));
    await whenEnded(world, leaving);
    await world.publish(recordsOf([...staying, newcomer]));
    const { id } = await etcd.addLearner(endpointsOf(staying), [newcomer.peerUrl]);
    await world.start(newcomer, { state: 'existing', ...fromRecords });
    await whenHealthy(world, newcomer);
    await etcd.promote(endpointsOf(staying), id);
    const list = await listed(world, staying);
    expect(list.members.map(({ name, isLearner }) => `${name} ${isLearner}`).sort()).toEqual([
      'm1 false',
      'm2 false',
      'm4 false',
    ]);
  },
  'a replacement does not join while the set has an extra name': async (world) => {
    const members = await born(world, 1);
    const newcomer = await newcomerTo(world);
    const stale = await newcomerTo(world);
    await world.publish(recordsOf([...members, newcomer, stale]));
    await steady(world);
    await world.etcd().addLearner(endpointsOf(members), [newcomer.peerUrl]);
    await world.start(newcomer, { state: 'existing', ...fromRecords });
    await whenEnded(world, newcomer);
    expect(world.ended(newcomer)).toMatchObject({
      code: 1,
      output: expect.stringContaining('member count is unequal') as string,
    });
  },
};
