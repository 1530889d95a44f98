import { chosenEtcd } from '@drover/cloud-sandbox/real/etcd/binaries.ts';
import { whyNoNameServer } from '@drover/cloud-sandbox/real/etcd/name-server.ts';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { addEtcdGroup } from '../../../local/etcd-group.ts';
import { keysIn, startWriter, type WriterEndpoint } from '../../../local/real-world/etcd/writer.ts';
import { domain } from '../../../local/world/etcd/etcd-world.ts';
import { createEtcdCluster } from '../../../shared/etcd-api/etcd-cluster.ts';
import { sendHttp } from '../../../shared/net/send-http.ts';
import { createRealDroverWorld, type RealDroverWorld } from '../../support/etcd/real-drover-world.ts';

const reason = chosenEtcd.isInstalled
  ? whyNoNameServer()
  : `etcd ${chosenEtcd.version} is not installed: npm run real:etcd`;

const listed = ({ account }: RealDroverWorld) =>
  account.autoScaling.operations.DescribeAutoScalingGroups({ AutoScalingGroupNames: ['etcd'] })
    .AutoScalingGroups[0]?.Instances ?? [];

const inService = (world: RealDroverWorld): readonly string[] =>
  listed(world)
    .filter(({ LifecycleState }) => LifecycleState === 'InService')
    .map(({ InstanceId = '' }) => InstanceId)
    .toSorted();

const endpointOf = (world: RealDroverWorld, instanceId: string): WriterEndpoint => ({
  url: `https://${world.addressOf(world.account.ec2.instances.find(instanceId)?.privateIpAddress ?? '')}:2379`,
  serverName: `${instanceId}.${domain}`,
});

const endpoints = (world: RealDroverWorld): readonly WriterEndpoint[] =>
  inService(world).map((instanceId) => endpointOf(world, instanceId));

const clusterOf = async (world: RealDroverWorld) =>
  await createEtcdCluster({ send: sendHttp, credentials: async () => world.credentials }).members(
    endpoints(world),
  );

const whole =
  (world: RealDroverWorld, without: readonly string[] = []) =>
  (): boolean =>
    inService(world).length === 3 &&
    listed(world).length === 3 &&
    !inService(world).some((id) => without.includes(id));

const claimed = { meta: { claim: { area: 'etcd under Drover', world: `etcd ${chosenEtcd.version}` } } };

/** Every call goes to the simulated AWS and to real members: one after the other on the same cluster. */
describe.skipIf(reason !== undefined)(
  `Drover with etcd ${chosenEtcd.version}${reason ? `: ${reason}` : ''}`,
  () => {
    let world: RealDroverWorld;
    let clusterId = '';
    beforeAll(async () => {
      world = await createRealDroverWorld(chosenEtcd);
    });
    afterAll(async () => {
      await world.close();
      expect(world.problems).toEqual([]);
    });

    it('three members bootstrap from the records that it has published', {
      timeout: 200_000,
      ...claimed,
    }, async () => {
      addEtcdGroup(world, { size: 3, heartbeatTimeoutSeconds: 3600 });
      await world.until(whole(world), { withinSeconds: 180, what: 'three members in service' });
      const list = await clusterOf(world);
      clusterId = list.clusterId;
      expect(list.members.map(({ name }) => name).toSorted()).toEqual(inService(world));
    });

    it('each is replaced in turn under a client that writes all the time: no acknowledged write is lost', {
      timeout: 500_000,
      ...claimed,
    }, async () => {
      const writer = startWriter(world, () => endpoints(world));
      const first = inService(world);
      const begun = Date.now();
      for (const [index, instanceId] of first.entries()) {
        world.account.autoScaling.operations.TerminateInstanceInAutoScalingGroup({
          InstanceId: instanceId,
          ShouldDecrementDesiredCapacity: false,
        });
        await world.until(whole(world, first.slice(0, index + 1)), {
          withinSeconds: 150,
          what: `${instanceId} replaced`,
        });
      }
      const seconds = (Date.now() - begun) / 1000;
      await writer.stop();
      const list = await clusterOf(world);
      expect(list.clusterId).toBe(clusterId);
      expect(list.members.map(({ name }) => name).toSorted()).toEqual(inService(world));
      expect(list.members.every(({ isLearner }) => !isLearner)).toBe(true);
      const [endpoint] = endpoints(world);
      if (!endpoint) throw new Error('no member serves');
      const kept = await keysIn(endpoint, world.credentials);
      expect(writer.acknowledged.length).toBeGreaterThan(100);
      expect(writer.acknowledged.filter((key) => !kept.has(key))).toEqual([]);
      process.stdout.write(
        `three members replaced in ${seconds.toFixed(1)} s, ${writer.acknowledged.length} writes, the longest silence ${writer.longestSilenceSeconds().toFixed(1)} s\n`,
      );
    });

    it('a member that is killed without warning is removed and replaced', {
      timeout: 400_000,
      ...claimed,
    }, async () => {
      const [dead = ''] = inService(world);
      world.account.ec2.accidents.kill(dead);
      await world.until(whole(world, [dead]), { withinSeconds: 200, what: 'the cluster healed' });
      expect((await clusterOf(world)).members.map(({ name }) => name).toSorted()).toEqual(inService(world));
    });

    it('with one of three down a second removal is held until it is back', {
      timeout: 400_000,
      ...claimed,
    }, async () => {
      const [down = '', leaving = ''] = inService(world);
      await world.members.kill(down);
      world.account.autoScaling.operations.TerminateInstanceInAutoScalingGroup({
        InstanceId: leaving,
        ShouldDecrementDesiredCapacity: false,
      });
      const isHeld = (): boolean =>
        world.lines.some(({ facts }) =>
          JSON.stringify(facts ?? '').includes(`${leaving}: it cannot be removed`),
        );
      await world.until(isHeld, { withinSeconds: 150, what: 'the removal held' });
      await world.members.start(down);
      await world.until(whole(world, [leaving]), { withinSeconds: 150, what: 'the replacement done' });
      expect((await clusterOf(world)).clusterId).toBe(clusterId);
    });
  },
);
