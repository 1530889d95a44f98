import { expect } from 'vitest';
import {
  endpointsOf,
  formed,
  idOf,
  listed,
  memberWhich,
  steadyCluster,
  until,
  whenEnded,
  whenHealthy,
} from './support.ts';
import type { EtcdWorld, TestMember } from './world.ts';

async function startAll(
  world: EtcdWorld,
  members: readonly TestMember[],
  start: { readonly state: 'new' | 'existing'; readonly token?: string },
): Promise<void> {
  for (const member of members) await world.start(member, { ...start, with: members });
}

/** All of them lose their data at once. */
async function wipeAll(world: EtcdWorld, members: readonly TestMember[]): Promise<void> {
  for (const member of members) await world.kill(member);
  for (const member of members) await world.wipe(member);
}

const last = (members: readonly TestMember[]): TestMember => {
  const member = members.at(-1);
  if (member === undefined) throw new Error('there is no member');
  return member;
};

/** How members find one another, and how they fail to. */
export const bootstrapCases: Readonly<Record<string, (world: EtcdWorld) => Promise<void>>> = {
  'a member serves no client until it has reached a quorum': async (world) => {
    const members = await world.members(3);
    const [first, second] = members;
    if (first === undefined || second === undefined) throw new Error('there are no members');
    await world.start(first, { state: 'new', with: members });
    await world.pass(1);
    const etcd = world.etcd();
    expect(await etcd.status(first.endpoint)).toMatchObject({ kind: 'silent', why: 'unreachable' });
    await world.start(second, { state: 'new', with: members });
    await whenHealthy(world, first);
    const { members: list } = await etcd.members(endpointsOf(members));
    // The one that never came has its name from the flags, and no client URL.
    expect(list.find(({ clientUrls }) => clientUrls.length === 0)).toMatchObject({ name: 'm3' });
  },
  'members with different initial sets form different clusters without an error': async (world) => {
    const members = await world.members(3);
    for (const [index, member] of members.entries()) {
      await world.start(member, { state: 'new', with: members.slice(0, index + 1) });
      if (index === 0) await whenHealthy(world, member);
    }
    await world.pass(3);
    const statuses = await Promise.all(endpointsOf(members).map((endpoint) => world.etcd().status(endpoint)));
    expect(statuses.map(({ kind }) => kind)).toEqual(['answers', 'silent', 'silent']);
    expect(members.map((member) => world.ended(member))).toEqual([undefined, undefined, undefined]);
  },
  'a member that was not added does not join': async (world) => {
    const members = await formed(world, 3);
    const [stranger] = await world.members(1);
    if (stranger === undefined) throw new Error('there is no stranger');
    await world.start(stranger, { state: 'existing', with: [...members, stranger] });
    await whenEnded(world, stranger);
    expect(world.ended(stranger)).toMatchObject({
      code: 1,
      output: expect.stringContaining('member count is unequal') as string,
    });
  },
  'a member that starts as existing exits without a cluster to join': async (world) => {
    const members = await world.members(2);
    await world.start(last(members), { state: 'existing', with: members });
    await whenEnded(world, last(members));
    expect(world.ended(last(members))).toMatchObject({
      code: 1,
      output: expect.stringContaining('could not retrieve cluster information') as string,
    });
  },
  'a member that lost its data cannot start as new': async (world) => {
    const members = await formed(world, 3);
    await world.kill(last(members));
    await world.wipe(last(members));
    await world.start(last(members), { state: 'new', with: members });
    await whenEnded(world, last(members));
    expect(world.ended(last(members))).toMatchObject({
      code: 1,
      output: expect.stringContaining('has already been bootstrapped') as string,
    });
  },
  'members that all lost their data and start as new form an empty cluster with the same id': async (
    world,
  ) => {
    const members = await formed(world, 3);
    const { clusterId } = await listed(world, members);
    await wipeAll(world, members);
    await startAll(world, members, { state: 'new' });
    for (const member of members) await whenHealthy(world, member);
    expect((await listed(world, members)).clusterId).toBe(clusterId);
  },
  'members that all lost their data and start as existing form no cluster': async (world) => {
    const members = await formed(world, 3);
    await wipeAll(world, members);
    await startAll(world, members, { state: 'existing' });
    for (const member of members) await whenEnded(world, member);
    expect(members.map((member) => world.ended(member)?.code)).toEqual([1, 1, 1]);
  },
  'members that start as new with another token form a cluster with another id': async (world) => {
    const members = await formed(world, 3);
    const { clusterId } = await listed(world, members);
    await wipeAll(world, members);
    await startAll(world, members, { state: 'new', token: 'second-birth' });
    for (const member of members) await whenHealthy(world, member);
    expect((await listed(world, members)).clusterId).not.toBe(clusterId);
  },
  'a member of a cluster with a token joins it as existing without the token': async (world) => {
    const members = await world.members(1);
    await startAll(world, members, { state: 'new', token: 'first-birth' });
    await whenHealthy(world, last(members));
    const [joining] = await world.members(1);
    if (joining === undefined) throw new Error('there is no second member');
    await world.pass(6.5);
    await world.etcd().addLearner(endpointsOf(members), [joining.peerUrl]);
    await world.start(joining, { state: 'existing', with: [...members, joining] });
    await whenHealthy(world, joining);
    const { clusterId } = await listed(world, members);
    expect(await world.etcd().status(joining.endpoint)).toMatchObject({ clusterId, isLearner: true });
  },
  'a follower that lost its data cannot start as existing': async (world) => {
    const members = await formed(world, 3);
    const lost = await memberWhich(world, members, { leads: false });
    await world.kill(lost);
    await world.wipe(lost);
    await world.start(lost, { state: 'existing', with: members });
    await whenEnded(world, lost);
    expect(world.ended(lost)).toMatchObject({
      code: 2,
      output: expect.stringContaining('is out of range [lastIndex(0)]') as string,
    });
  },
  'a leader that lost its data rejoins with its old id without an error': async (world) => {
    const members = await formed(world, 3);
    const lost = await memberWhich(world, members, { leads: true });
    const others = members.filter((member) => member !== lost);
    const id = await idOf(world, members, lost);
    await world.kill(lost);
    await world.wipe(lost);
    for (const member of others) await whenHealthy(world, member);
    await world.start(lost, { state: 'existing', with: members });
    await whenHealthy(world, lost);
    expect(await world.etcd().status(lost.endpoint)).toMatchObject({ memberId: id });
  },
  'a member with its data rejoins with any initial flags': async (world) => {
    const members = await steadyCluster(world, 3);
    await world.kill(last(members));
    await world.start(last(members), { state: 'new', with: [last(members)] });
    await whenHealthy(world, last(members));
    const status = await world.etcd().status(last(members).endpoint);
    const list = await listed(world, members);
    expect(status).toMatchObject({ clusterId: list.clusterId });
  },
  'a member that was removed while it was down exits when it starts again': async (world) => {
    const members = await steadyCluster(world, 3);
    const list = await listed(world, members);
    const gone = list.members.find(({ name }) => name === 'm3');
    await world.kill(last(members));
    await until(world, 'the others have a leader', {
      holds: async () => {
        const status = await world.etcd().status((members[0] ?? last(members)).endpoint);
        return status.kind === 'answers' && status.healthy;
      },
    });
    await world.etcd().remove(endpointsOf(members.slice(0, 1)), gone?.id ?? '');
    await world.restart(last(members));
    await whenEnded(world, last(members));
    // It exits with 0 if it was already serving, and with 1 if not. The message is the same.
    expect(world.ended(last(members))?.output).toContain('permanently removed from the cluster');
  },
};
