import { chosenEtcd } from '@drover/cloud-sandbox/real/etcd/binaries.ts';
import { etcd } from '@drover/cloud-sandbox/real/programs.ts';
import {
  createRealEtcdWorld,
  type RealEtcdWorld,
} from '@drover/cloud-sandbox/test/contract/etcd/real-world.ts';
import {
  endpointsOf,
  idOf,
  memberWhich,
  steadyCluster,
  whenHealthy,
} from '@drover/cloud-sandbox/test/contract/etcd/support.ts';
import { describe, expect, it } from 'vitest';
import { streamHttps } from '../../../shared/etcd-api/http.ts';
import { sendHttp } from '../../../shared/net/send-http.ts';
import { clientOf } from '../etcd-api/support.ts';

/** Drover's client and three members that have formed a cluster. */
async function threeMembers(use: (world: RealEtcdWorld) => Promise<void>): Promise<void> {
  const world = await createRealEtcdWorld({ etcd: chosenEtcd });
  try {
    await use(world);
  } finally {
    await world.close();
  }
}

const clientIn = (world: RealEtcdWorld) =>
  clientOf({ members: world, send: sendHttp, stream: streamHttps }).cluster;

/** A process that is stopped takes connections and answers nothing, as a machine or a disk that hangs. */
describe.skipIf(etcd.missing !== undefined)(`a member of etcd ${chosenEtcd.version} that is stopped`, () => {
  it('is unreachable after 5 s, and the next one is asked, for a removal too', () =>
    threeMembers(async (world) => {
      const members = await steadyCluster(world, 3);
      const [first, second, third] = members;
      if (!first || !second || !third) throw new Error('there are three members');
      const leader = await memberWhich(world, members, { leads: true });
      const [stopped, leaving] =
        leader === first ? [second, third] : [first, leader === second ? third : second];
      if (!stopped || !leaving) throw new Error('two of them follow');
      const id = await idOf(world, members, stopped);
      const cluster = clientIn(world);
      world.pause(stopped);
      const begun = Date.now();
      expect(await cluster.status(stopped.endpoint)).toMatchObject({ kind: 'silent', why: 'unreachable' });
      expect((await cluster.members(endpointsOf([stopped, leader]))).members).toHaveLength(3);
      await cluster.remove(endpointsOf([stopped, leader]), id);
      expect(Date.now() - begun).toBeLessThan(20_000);
      const left = await cluster.members(endpointsOf([leader]));
      expect(left.members.map((member) => member.id)).not.toContain(id);
      // It still has the requests that nothing waits for, and serves them: the removal of a member that is gone.
      world.resume(stopped);
      await world.pass(2);
      expect((await cluster.members(endpointsOf([leader]))).members).toEqual(left.members);
    }));

  it('in bursts loses no quorum, and is healthy afterwards', () =>
    threeMembers(async (world) => {
      const members = await steadyCluster(world, 3);
      const slow = await memberWhich(world, members, { leads: true });
      const cluster = clientIn(world);
      for (let burst = 0; burst < 8; burst += 1) {
        world.pause(slow);
        await world.pass(0.4);
        world.resume(slow);
        await world.pass(0.2);
        expect((await cluster.members(endpointsOf(members))).members).toHaveLength(3);
      }
      for (const member of members) await whenHealthy(world, member);
    }));
});
