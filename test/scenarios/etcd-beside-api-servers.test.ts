import { describe, expect, it } from 'vitest';
import { type DroverWorld, nodesOf, stateOf, terminate } from '../../local/world/drover-world.ts';
import { clustersOf } from '../../local/world/etcd/etcd-world.ts';
import { inService, lastProblem, untilWhole } from '../../local/world/etcd/expectations.ts';
import { newVersion, putRoll, seenOf, versionsOf } from '../../local/world/rolls.ts';
import {
  apiServersOf,
  createBesideWorld,
  idsOf,
  unexpectedProblems,
} from '../support/etcd/beside-api-servers.ts';

async function born(size: number, deregistrationSeconds?: number) {
  const world = createBesideWorld(size, { deregistrationSeconds });
  const clusterId = await untilWhole(world, size);
  await world.timeline.until(() => nodesOf(world).length === size, {
    withinSeconds: 300,
    what: 'a node for each instance',
  });
  return { world, clusterId };
}

/** The fewest members that serve and the fewest API servers behind the load balancer, at every moment until the cluster is whole. */
async function fewestUntilWhole(world: DroverWorld, size: number) {
  let members = size;
  let apiServers = size;
  const clusterId = await untilWhole(world, size, {
    withinSeconds: 3600,
    onLook: () => {
      members = Math.min(members, [...clustersOf(world).values()].flat().length);
      apiServers = Math.min(apiServers, apiServersOf(world).length);
    },
  });
  return { clusterId, members, apiServers };
}

const terminateAll = (world: DroverWorld) => {
  const before = inService(world);
  for (const instanceId of before) terminate(world, instanceId);
  return before;
};

describe('a group of etcd members with API servers beside them', () => {
  // https://github.com/kubernetes/kubeadm/issues/1685: the first API server is asked for behind a balancer that has none.
  it.each([1, 3, 5])(
    'of %i is born behind its own load balancer, with the hook that waits for nodes',
    async (size) => {
      const { world } = await born(size);
      expect(apiServersOf(world)).toHaveLength(size);
      expect(unexpectedProblems(world)).toEqual([]);
    },
  );

  it('is born before a kubeconfig is stored, because an API server has to give the token in it', async () => {
    const world = createBesideWorld(3);
    const { ssm, operator } = world.account;
    const Name = world.lambda.functionOf('node-joining').environment['DROVER_KUBECONFIG_PARAMETER'] ?? '';
    const Value = ssm.controls.value(Name) ?? '';
    const call = { principal: operator, requestId: 'test' };
    ssm.operations.DeleteParameter({ Name });
    await world.timeline.until(() => apiServersOf(world).length > 0, {
      withinSeconds: 1800,
      what: 'the first API server behind the load balancer',
    });
    ssm.operations.PutParameter({ Name, Value, Type: 'SecureString' }, call);
    await untilWhole(world, 3, { withinSeconds: 3600 });
    await world.timeline.until(() => nodesOf(world).length === 3, {
      withinSeconds: 600,
      what: 'a node for each instance',
    });
  });

  // https://github.com/itskoko/kubecfn/issues/2, https://github.com/etcd-io/etcd/issues/9616: the replacement could not join;
  // https://github.com/kubernetes/kops/issues/6736: the last one did not.
  it.each([1, 3, 5])('of %i keeps its cluster while each instance is replaced in turn', async (size) => {
    const { world, clusterId } = await born(size);
    for (const instanceId of inService(world)) {
      terminate(world, instanceId);
      expect(await untilWhole(world, size, { withinSeconds: 3600 })).toBe(clusterId);
      expect(idsOf(world)).not.toContain(instanceId);
    }
    await world.timeline.pass(300);
    expect(nodesOf(world)).toHaveLength(size);
    expect(unexpectedProblems(world)).toEqual([]);
  });

  // https://github.com/kubernetes/kops/issues/7315: all masters were replaced at once, and no leader was elected.
  it.each([1, 3])('of %i comes back if all must leave at once, when no API server answers', async (size) => {
    const { world, clusterId } = await born(size);
    const before = terminateAll(world);
    const fewest = await fewestUntilWhole(world, size);
    expect(fewest.clusterId).toBe(clusterId);
    expect(idsOf(world).filter((instanceId) => before.includes(instanceId))).toEqual([]);
    await world.timeline.pass(300);
    expect(nodesOf(world)).toHaveLength(size);
  });

  it('removes the next leaving member only once the new one votes and its instance is in service', async () => {
    const { world } = await born(3);
    const before = terminateAll(world);
    const tooEarly: string[] = [];
    await untilWhole(world, 3, {
      withinSeconds: 3600,
      onLook: () => {
        const removed = before.filter((instanceId) => !servingMembersOf(world).includes(instanceId)).length;
        if (removed > inService(world).length + 1) tooEarly.push(`${removed} removed`);
      },
    });
    expect(tooEarly).toEqual([]);
  });

  // https://github.com/kubernetes-sigs/cluster-api/issues/10934, https://github.com/kubernetes-sigs/cluster-api/issues/2652: the member went
  // first, and clients stayed with an API server that could not answer.
  it('keeps a leaving member as long as its load balancer lets connections to its API server end', async () => {
    const { world, clusterId } = await born(3, 300);
    const [leaving = ''] = inService(world);
    terminate(world, leaving);
    const states = new Set<string>();
    const ended: string[] = [];
    await untilWhole(world, 3, {
      withinSeconds: 3600,
      onLook: () => {
        const state = stateOf(world, leaving);
        states.add(state ?? 'gone');
        if (state === 'Terminating' && !servingMembersOf(world).includes(leaving)) ended.push(state);
      },
    });
    expect(states).toContain('Terminating');
    expect(ended).toEqual([]);
    expect(await untilWhole(world, 3)).toBe(clusterId);
    expect(unexpectedProblems(world)).toEqual([]);
  });

  // https://github.com/kubernetes/kops/issues/14172: the only API server was deregistered first, so its node could not be drained.
  it('replaces the only instance, whose API server its load balancer has left before the drain', async () => {
    const { world, clusterId } = await born(1, 300);
    const [leaving = ''] = inService(world);
    terminate(world, leaving);
    let fewest = 1;
    await untilWhole(world, 1, {
      withinSeconds: 3600,
      onLook: () => {
        fewest = Math.min(fewest, servingMembersOf(world).length);
      },
    });
    expect(idsOf(world)).not.toContain(leaving);
    expect(fewest).toBe(1);
    expect(await untilWhole(world, 1)).toBe(clusterId);
    await world.timeline.pass(300);
    expect(nodesOf(world)).toHaveLength(1);
  });

  // https://github.com/kopeio/etcd-manager/issues/288: some nodes had no etcd, and nothing reported which.
  it('names a new instance whose etcd does not start, and replaces it once it is terminated', async () => {
    const { world, clusterId } = await born(3);
    const before = inService(world);
    terminate(world, before[0] ?? '');
    const broken = (): string => idsOf(world).find((instanceId) => !before.includes(instanceId)) ?? '';
    const keepDown = (): boolean => {
      if (world.etcd.world.view(broken())?.kind === 'running') world.etcd.world.kill(broken());
      return lastProblem(world)?.includes('its etcd has not started') === true;
    };
    await world.timeline.until(keepDown, { withinSeconds: 3600, what: 'a problem that names the instance' });
    expect(lastProblem(world)).toContain(broken());
    expect(apiServersOf(world)).toHaveLength(2);
    terminate(world, broken());
    expect(await untilWhole(world, 3, { withinSeconds: 7200 })).toBe(clusterId);
  });

  // https://github.com/Quentin-M/etcd-cloud-operator/issues/45: the replacement was refused while the lost member was still in the list.
  it('replaces an instance that is lost for good, even without an event', async () => {
    const { world, clusterId } = await born(3);
    const [dead = ''] = inService(world);
    world.account.ec2.accidents.kill(dead);
    const fewest = await fewestUntilWhole(world, 3);
    expect(fewest).toEqual({ clusterId, members: 2, apiServers: 2 });
    expect(idsOf(world)).not.toContain(dead);
  });

  it('replaces all instances by an instance refresh, with two members and API servers at any moment', async () => {
    const { world, clusterId } = await born(3);
    const before = inService(world);
    world.account.autoScaling.operations.StartInstanceRefresh({
      AutoScalingGroupName: 'etcd',
      Preferences: { MinHealthyPercentage: 66 },
    });
    let fewest = 3;
    await world.timeline.until(
      () => {
        fewest = Math.min(fewest, apiServersOf(world).length);
        return (
          before.every((instanceId) => stateOf(world, instanceId) === undefined) &&
          inService(world).length === 3
        );
      },
      { withinSeconds: 7200, what: 'the end of the refresh' },
    );
    expect(await untilWhole(world, 3)).toBe(clusterId);
    expect(fewest).toBe(2);
    expect(unexpectedProblems(world)).toEqual([]);
  });

  it('is replaced by a roll, one instance at a time', async () => {
    const { world, clusterId } = await born(3);
    putRoll(world, { etcd: newVersion(world, 'ami-0fedcba9876543210', 'etcd') }, { canary: 0 });
    let fewest = 3;
    await world.timeline.until(
      () => {
        fewest = Math.min(fewest, apiServersOf(world).length);
        return seenOf(world)?.state === 'done';
      },
      { withinSeconds: 4 * 3600, what: 'the end of the roll' },
    );
    expect(new Set(versionsOf(world, 'etcd'))).toEqual(new Set([2]));
    expect(await untilWhole(world, 3)).toBe(clusterId);
    expect(fewest).toBe(2);
  });

  it('holds a leaving instance while another of three members does not answer', async () => {
    const { world, clusterId } = await born(3);
    const [broken = '', leaving = ''] = inService(world);
    world.etcd.world.kill(broken);
    terminate(world, leaving);
    await world.timeline.pass(900);
    expect(stateOf(world, leaving)).toBe('Terminating:Wait');
    expect(lastProblem(world)).toMatch(/it cannot be removed: of the 2 remaining members 1 can vote/);
    world.etcd.world.start(broken);
    expect(await untilWhole(world, 3, { withinSeconds: 3600 })).toBe(clusterId);
  });
});

/** The instances whose etcd serves, also those that leave. */
const servingMembersOf = (world: DroverWorld): readonly string[] => [...clustersOf(world).values()].flat();
