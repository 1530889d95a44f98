import { expect } from 'vitest';
import {
  endpointsOf,
  formed,
  idOf,
  listed,
  refusal,
  steady,
  steadyCluster,
  until,
  unusedPeerUrl,
  whenHealthy,
} from './support.ts';
import type { EtcdWorld, TestMember } from './world.ts';

const three = (members: readonly TestMember[]): readonly [TestMember, TestMember, TestMember] => {
  const [first, second, third] = members;
  if (first === undefined || second === undefined || third === undefined)
    throw new Error('there are not three');
  return [first, second, third];
};

/** What etcd refuses for the sake of its quorum, and how it is without one. */
export const quorumCases: Readonly<Record<string, (world: EtcdWorld) => Promise<void>>> = {
  'no member can be added for some seconds after the members connected': async (world) => {
    const members = await formed(world, 3);
    const add = () => world.etcd().addLearner(endpointsOf(members), [unusedPeerUrl]);
    await expect(add()).rejects.toThrow(refusal('unsafe', 'unhealthy cluster'));
    await steady(world);
    await expect(add()).resolves.toMatchObject({ isLearner: true });
  },
  'with one of three members down only that member can be removed, and none can be added': async (world) => {
    const [first, second, third] = three(await steadyCluster(world, 3));
    const rest = [first, second];
    const [live, dead] = [await idOf(world, rest, second), await idOf(world, rest, third)];
    await world.kill(third);
    const etcd = world.etcd();
    await until(world, 'the others have a leader', { holds: () => answers(world, rest) });
    const unhealthy = refusal('unsafe', 'unhealthy cluster');
    await expect(etcd.addLearner([first.endpoint], [unusedPeerUrl])).rejects.toThrow(unhealthy);
    await expect(etcd.addVoter([first.endpoint], [unusedPeerUrl])).rejects.toThrow(unhealthy);
    await expect(etcd.remove([first.endpoint], live)).rejects.toThrow(unhealthy);
    await etcd.remove([first.endpoint], dead);
    expect((await listed(world, rest)).members).toHaveLength(2);
  },
  'with one of five members down 3.6 adds and removes members, and 3.4 adds none': async (world) => {
    const members = await steadyCluster(world, 5);
    const [first, second, third] = three(members);
    const id = await idOf(world, members, second);
    await world.kill(third);
    await until(world, 'the others have a leader', { holds: () => answers(world, [first]) });
    const adding = world.etcd().addLearner([first.endpoint], [unusedPeerUrl]);
    if (world.version.startsWith('3.4.')) await expect(adding).rejects.toThrow(refusal('unsafe'));
    else await adding;
    await world.etcd().remove([first.endpoint], id);
  },
  'a voter that has not started blocks the next membership change': async (world) => {
    const members = await steadyCluster(world, 1);
    const [only] = members;
    if (only === undefined) throw new Error('there is no member');
    const id = await idOf(world, members, only);
    const etcd = world.etcd();
    await etcd.addVoter(endpointsOf(members), [unusedPeerUrl]);
    const notEnough = refusal('unsafe', 'not enough started members');
    const another = etcd.addVoter(endpointsOf(members), ['https://127.0.0.98:2380']);
    await expect(another).rejects.toThrow(notEnough);
    await expect(etcd.remove(endpointsOf(members), id)).rejects.toThrow(notEnough);
  },
  'without quorum members report no leader, and refuse changes': async (world) => {
    const members = await steadyCluster(world, 3);
    const [first, second, third] = three(members);
    const id = await idOf(world, members, second);
    await world.kill(second);
    await world.kill(third);
    const etcd = world.etcd();
    await until(world, 'the leader is lost', {
      holds: async () => {
        const status = await etcd.status(first.endpoint);
        return status.kind === 'answers' && !status.healthy;
      },
    });
    await expect(etcd.members(endpointsOf(members))).rejects.toThrow(refusal('no-quorum'));
    await expect(etcd.addLearner([first.endpoint], [unusedPeerUrl])).rejects.toThrow(refusal('unsafe'));
    await expect(etcd.remove([first.endpoint], id)).rejects.toThrow(refusal('no-quorum'));
    await expect(etcd.promote([first.endpoint], id)).rejects.toThrow(refusal('no-quorum'));
    const old = await world.post(first.endpoint, '/v3/cluster/member/list', {});
    expect(old.status).toBe(200);
    const health = await world.get(first.endpoint, '/health');
    expect(health.status).toBe(503);
    expect(JSON.parse(health.body)).toMatchObject({ health: 'false' });
  },
  'a member that restarts restores the quorum': async (world) => {
    const members = await steadyCluster(world, 3);
    const [first, second, third] = three(members);
    await world.kill(second);
    await world.kill(third);
    await world.restart(second);
    await whenHealthy(world, second);
    await whenHealthy(world, first);
    expect((await listed(world, members)).members).toHaveLength(3);
  },
};

const answers = async (world: EtcdWorld, members: readonly TestMember[]): Promise<boolean> => {
  const statuses = await Promise.all(members.map(({ endpoint }) => world.etcd().status(endpoint)));
  return statuses.every((status) => status.kind === 'answers' && status.healthy);
};
