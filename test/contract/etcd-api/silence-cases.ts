import {
  endpointsOf,
  formed,
  idOf,
  steadyCluster,
  until,
  unusedPeerUrl,
  whenHealthy,
} from '@drover/cloud-sandbox/test/contract/etcd/support.ts';
import type { Cases } from '@drover/cloud-sandbox/truth/contract.ts';
import { expect } from 'vitest';
import { clientOf, type EtcdApiWorld, firstOf, isError, learnerOf } from './support.ts';

/** What Drover makes of members that cannot serve, do not answer, or refuse its certificate. */
export const silenceCases: Cases<EtcdApiWorld> = {
  'Drover skips a member that does not answer, and reports it unreachable': async (world) => {
    const { cluster } = clientOf(world);
    const members = await formed(world.members, 3);
    const silent = firstOf(members);
    await world.members.kill(silent);
    await world.members.pass(3);
    expect(await cluster.status(silent.endpoint)).toMatchObject({ kind: 'silent', why: 'unreachable' });
    expect((await cluster.members(endpointsOf(members))).members).toHaveLength(3);
    await expect(cluster.members([silent.endpoint])).rejects.toThrow(isError('no-quorum'));
  },

  'Drover skips a learner, which cannot list the members': async (world) => {
    const { cluster } = clientOf(world);
    const members = await steadyCluster(world.members, 1);
    const { learner } = await learnerOf(world, members);
    await whenHealthy(world.members, learner);
    await expect(cluster.members([learner.endpoint])).rejects.toThrow(isError('no-quorum'));
    expect((await cluster.members(endpointsOf([learner, ...members]))).members).toHaveLength(2);
  },

  'Drover reports a member without quorum unhealthy, and changes nothing through it': async (world) => {
    const { cluster } = clientOf(world);
    const members = await steadyCluster(world.members, 3);
    const [left, ...dead] = members;
    if (left === undefined) throw new Error('there is no member');
    const id = await idOf(world.members, members, firstOf(dead));
    for (const member of dead) await world.members.kill(member);
    await until(world.members, 'the leader is lost', {
      holds: async () => {
        const status = await cluster.status(left.endpoint);
        return status.kind === 'answers' && !status.healthy;
      },
    });
    await expect(cluster.members(endpointsOf(members))).rejects.toThrow(isError('no-quorum'));
    await expect(cluster.remove([left.endpoint], id)).rejects.toThrow(isError('no-quorum'));
    await expect(cluster.promote([left.endpoint], id)).rejects.toThrow(isError('no-quorum'));
    await expect(cluster.addLearner([left.endpoint], [unusedPeerUrl])).rejects.toThrow(isError('unsafe'));
  },

  'Drover reports members with a full database as healthy, names the alarm, and changes the membership':
    async (world) => {
      const { cluster } = clientOf(world);
      const members = await steadyCluster(world.members, 3);
      const memberId = await idOf(world.members, members, firstOf(members));
      await world.members.post(firstOf(members).endpoint, '/v3/maintenance/alarm', {
        action: 'ACTIVATE',
        memberID: memberId,
        alarm: 'NOSPACE',
      });
      for (const { endpoint } of members)
        await until(world.members, 'the alarm is known', {
          holds: async () => {
            const status = await cluster.status(endpoint);
            return status.kind === 'answers' && status.alarms.length > 0;
          },
        });
      for (const { endpoint } of members)
        expect(await cluster.status(endpoint)).toMatchObject({
          healthy: true,
          alarms: [{ memberId, name: 'NOSPACE' }],
        });
      const { id } = await cluster.addLearner(endpointsOf(members), [unusedPeerUrl]);
      await cluster.remove(endpointsOf(members), id);
      expect((await cluster.members(endpointsOf(members))).members).toHaveLength(3);
    },

  'Drover is denied with a certificate of another authority, and with an expired one': async (world) => {
    const { endpoint } = firstOf(await formed(world.members, 1));
    for (const caller of ['stranger', 'expired'] as const) {
      const { cluster } = clientOf(world, caller);
      expect(await cluster.status(endpoint)).toMatchObject({ kind: 'silent', why: 'certificate' });
      await expect(cluster.members([endpoint])).rejects.toThrow(isError('denied'));
      await expect(cluster.addLearner([endpoint], [unusedPeerUrl])).rejects.toThrow(isError('denied'));
      await expect(cluster.remove([endpoint], '1')).rejects.toThrow(isError('denied'));
    }
  },

  'Drover refuses a member whose certificate has another name, and asks the next': async (world) => {
    const { cluster } = clientOf(world);
    const { endpoint } = firstOf(await formed(world.members, 1));
    const other = { ...endpoint, serverName: 'other.etcd.test' };
    expect(await cluster.status(other)).toMatchObject({ kind: 'silent', why: 'certificate' });
    await expect(cluster.members([other])).rejects.toThrow(isError('denied'));
    expect((await cluster.members([other, endpoint])).members).toHaveLength(1);
  },
};
