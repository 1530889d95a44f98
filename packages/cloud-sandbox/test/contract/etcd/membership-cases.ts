import { expect } from 'vitest';
import {
  endpointsOf,
  formed,
  idOf,
  listed,
  refusal,
  steadyCluster,
  unusedPeerUrl,
  whenEnded,
  whenHealthy,
} from './support.ts';
import type { EtcdWorld } from './world.ts';

/** How members come, are promoted and leave. */
export const membershipCases: Readonly<Record<string, (world: EtcdWorld) => Promise<void>>> = {
  'the member list has the names and URLs of members, and each member reports its own id': async (world) => {
    const members = await formed(world, 3);
    const list = await listed(world, members);
    expect(list.members.map(({ name }) => name).sort()).toEqual(['m1', 'm2', 'm3']);
    for (const member of members) {
      const status = await world.etcd().status(member.endpoint);
      expect(status).toMatchObject({ kind: 'answers', healthy: true, version: world.version });
      const own = list.members.find(({ name }) => name === member.name);
      expect(own).toMatchObject({
        peerUrls: [member.peerUrl],
        clientUrls: [member.endpoint.url],
        isLearner: false,
      });
      expect(status).toMatchObject({ clusterId: list.clusterId, memberId: own?.id });
    }
  },
  'a learner can be added, joins, is promoted once it is in sync, and votes': async (world) => {
    const members = await steadyCluster(world, 3);
    const [newcomer] = await world.members(1);
    if (newcomer === undefined) throw new Error('there is no newcomer');
    const etcd = world.etcd();
    const added = await etcd.addLearner(endpointsOf(members), [newcomer.peerUrl]);
    expect(added).toMatchObject({ name: '', peerUrls: [newcomer.peerUrl], clientUrls: [], isLearner: true });
    await world.start(newcomer, { state: 'existing', with: [...members, newcomer] });
    await whenHealthy(world, newcomer);
    expect(await etcd.status(newcomer.endpoint)).toMatchObject({ isLearner: true, memberId: added.id });
    await etcd.promote(endpointsOf(members), added.id);
    const list = await listed(world, members);
    expect(list.members.find(({ id }) => id === added.id)).toMatchObject({ name: 'm4', isLearner: false });
  },
  'a learner that has not started cannot be promoted': async (world) => {
    const members = await steadyCluster(world, 3);
    const etcd = world.etcd();
    const { id } = await etcd.addLearner(endpointsOf(members), [unusedPeerUrl]);
    await expect(etcd.promote(endpointsOf(members), id)).rejects.toThrow(refusal('not-in-sync'));
  },
  'a cluster has at most one learner, and peer URLs are unique': async (world) => {
    const members = await steadyCluster(world, 3);
    const etcd = world.etcd();
    const own = members[0]?.peerUrl ?? '';
    await expect(etcd.addLearner(endpointsOf(members), [own])).rejects.toThrow(refusal('peer-exists'));
    await expect(etcd.addVoter(endpointsOf(members), [own])).rejects.toThrow(refusal('peer-exists'));
    await etcd.addLearner(endpointsOf(members), [unusedPeerUrl]);
    const second = etcd.addLearner(endpointsOf(members), ['https://127.0.0.98:2380']);
    await expect(second).rejects.toThrow(refusal('learner-exists'));
  },
  'a voting member cannot be promoted': async (world) => {
    const members = await steadyCluster(world, 3);
    const [first] = members;
    if (first === undefined) throw new Error('there is no member');
    const voter = await idOf(world, members, first);
    const promotion = world.etcd().promote(endpointsOf(members), voter);
    await expect(promotion).rejects.toThrow(refusal('other', 'can only promote a learner member'));
  },
  'a removed member exits without an error, and cannot be removed twice': async (world) => {
    const members = await steadyCluster(world, 3);
    const [first, , last] = members;
    if (first === undefined || last === undefined) throw new Error('there are no members');
    const id = await idOf(world, members, last);
    const etcd = world.etcd();
    await etcd.remove([first.endpoint], id);
    await whenEnded(world, last);
    expect(world.ended(last)?.code).toBe(0);
    expect((await listed(world, [first])).members.map(({ name }) => name).sort()).toEqual(['m1', 'm2']);
    await expect(etcd.remove([first.endpoint], id)).rejects.toThrow(refusal('not-found'));
  },
  'a learner can be removed without a quorum check': async (world) => {
    const members = await steadyCluster(world, 1);
    const etcd = world.etcd();
    const { id } = await etcd.addLearner(endpointsOf(members), [unusedPeerUrl]);
    await etcd.remove(endpointsOf(members), id);
    expect((await listed(world, members)).members).toHaveLength(1);
  },
  'member ids are decimal numbers in the gateway': async (world) => {
    const members = await formed(world, 3);
    const etcd = world.etcd();
    await expect(etcd.remove(endpointsOf(members), '123')).rejects.toThrow(refusal('not-found'));
    await expect(etcd.promote(endpointsOf(members), '123')).rejects.toThrow(refusal('not-found'));
    await expect(etcd.promote(endpointsOf(members), 'abc')).rejects.toThrow(refusal('other'));
    await expect(etcd.remove(endpointsOf(members), 'abc')).rejects.toThrow(refusal('other'));
  },
  'the last member cannot be removed': async (world) => {
    const members = await formed(world, 1);
    const [only] = members;
    if (only === undefined) throw new Error('there is no member');
    const removal = world.etcd().remove(endpointsOf(members), await idOf(world, members, only));
    await expect(removal).rejects.toThrow(refusal('unsafe', 'not enough started members'));
  },
  'a cluster of one member grows to two with a voting member': async (world) => {
    const members = await formed(world, 1);
    const [newcomer] = await world.members(1);
    if (newcomer === undefined) throw new Error('there is no newcomer');
    await world.etcd().addVoter(endpointsOf(members), [newcomer.peerUrl]);
    await world.start(newcomer, { state: 'existing', with: [...members, newcomer] });
    await whenHealthy(world, newcomer);
    expect((await listed(world, members)).members.map(({ name }) => name).sort()).toEqual(['m1', 'm2']);
  },
};
