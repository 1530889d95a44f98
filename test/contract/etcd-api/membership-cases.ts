import {
  endpointsOf,
  formed,
  idOf,
  steadyCluster,
  unusedPeerUrl,
  whenEnded,
  whenHealthy,
} from '@drover/cloud-sandbox/test/contract/etcd/support.ts';
import type { Cases } from '@drover/cloud-sandbox/truth/contract.ts';
import { expect } from 'vitest';
import { hasStarted } from '../../../shared/etcd/cluster.ts';
import { clientOf, type EtcdApiWorld, firstOf, isError, learnerOf } from './support.ts';

const anotherPeerUrl = 'https://127.0.0.98:2380';

/** What Drover reads and changes of the membership, and how it reports a refusal. */
export const membershipCases: Cases<EtcdApiWorld> = {
  'Drover lists the members, and each endpoint reports its own id, version and cluster': async (world) => {
    const { cluster } = clientOf(world);
    const members = await formed(world.members, 3);
    const list = await cluster.members(endpointsOf(members));
    expect(list.members.map(({ name }) => name).toSorted()).toEqual(['m1', 'm2', 'm3']);
    let leaders = 0;
    for (const { name, peerUrl, endpoint } of members) {
      const listed = list.members.find((member) => member.name === name);
      expect(listed).toMatchObject({ peerUrls: [peerUrl], clientUrls: [endpoint.url], isLearner: false });
      const { leads, ...status } = { leads: undefined, ...(await cluster.status(endpoint)) };
      expect(status).toEqual({
        kind: 'answers',
        clusterId: list.clusterId,
        memberId: listed?.id,
        healthy: true,
        alarms: [],
        isLearner: false,
        version: world.members.version,
        databaseBytes: expect.any(Number) as number,
        revision: '1',
      });
      if (leads) leaders += 1;
    }
    expect(leaders).toBe(1);
  },

  'Drover adds a learner, which starts and is promoted to a voter': async (world) => {
    const { cluster } = clientOf(world);
    const members = await steadyCluster(world.members, 1);
    const { learner, id } = await learnerOf(world, members);
    await whenHealthy(world.members, learner);
    expect(await cluster.status(learner.endpoint)).toMatchObject({ memberId: id, isLearner: true });
    await cluster.promote(endpointsOf(members), id);
    const list = await cluster.members(endpointsOf(members));
    expect(list.members.find((member) => member.id === id)).toMatchObject({ name: 'm2', isLearner: false });
  },

  'Drover adds a voter, which is listed before it starts': async (world) => {
    const { cluster } = clientOf(world);
    const endpoints = endpointsOf(await formed(world.members, 1));
    const added = await cluster.addVoter(endpoints, [unusedPeerUrl]);
    expect(added).toMatchObject({ name: '', peerUrls: [unusedPeerUrl], clientUrls: [], isLearner: false });
    expect(hasStarted(added)).toBe(false);
  },

  'Drover removes a member, which ends, and a second removal is not-found': async (world) => {
    const { cluster } = clientOf(world);
    const members = await steadyCluster(world.members, 3);
    const [leaving, ...rest] = members;
    if (leaving === undefined) throw new Error('there is no member');
    const id = await idOf(world.members, members, leaving);
    await cluster.remove(endpointsOf(rest), id);
    await whenEnded(world.members, leaving);
    const list = await cluster.members(endpointsOf(rest));
    expect(list.members.map(({ name }) => name).toSorted()).toEqual(['m2', 'm3']);
    await expect(cluster.remove(endpointsOf(rest), id)).rejects.toThrow(isError('not-found'));
    await expect(cluster.promote(endpointsOf(rest), id)).rejects.toThrow(isError('not-found'));
  },

  'Drover reports a learner that has not started as not-in-sync, and a second learner as learner-exists':
    async (world) => {
      const { cluster } = clientOf(world);
      const endpoints = endpointsOf(await steadyCluster(world.members, 1));
      const { id, isLearner } = await cluster.addLearner(endpoints, [unusedPeerUrl]);
      expect(isLearner).toBe(true);
      await expect(cluster.promote(endpoints, id)).rejects.toThrow(isError('not-in-sync'));
      await expect(cluster.addLearner(endpoints, [anotherPeerUrl])).rejects.toThrow(
        isError('learner-exists'),
      );
    },

  'Drover reports a peer URL of another member as peer-exists': async (world) => {
    const { cluster } = clientOf(world);
    const members = await steadyCluster(world.members, 1);
    const peerUrls = [firstOf(members).peerUrl];
    for (const add of ['addLearner', 'addVoter'] as const)
      await expect(cluster[add](endpointsOf(members), peerUrls)).rejects.toThrow(isError('peer-exists'));
  },

  'Drover reports a change that endangers the quorum as unsafe': async (world) => {
    const { cluster } = clientOf(world);
    const members = await formed(world.members, 1);
    const id = await idOf(world.members, members, firstOf(members));
    await expect(cluster.remove(endpointsOf(members), id)).rejects.toThrow(isError('unsafe'));
    await cluster.addVoter(endpointsOf(members), [unusedPeerUrl]);
    const second = cluster.addVoter(endpointsOf(members), [anotherPeerUrl]);
    await expect(second).rejects.toThrow(isError('unsafe'));
  },

  'Drover reports the promotion of a voter, and an invalid id, as other errors': async (world) => {
    const { cluster } = clientOf(world);
    const members = await formed(world.members, 1);
    const id = await idOf(world.members, members, firstOf(members));
    await expect(cluster.promote(endpointsOf(members), id)).rejects.toThrow(isError('other'));
    await expect(cluster.remove(endpointsOf(members), 'abc')).rejects.toThrow(isError('other'));
  },
};
