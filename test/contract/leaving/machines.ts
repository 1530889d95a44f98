import type { Cases } from '@drover/cloud-sandbox/truth/contract.ts';
import { expect } from 'vitest';
import { deployment } from '../../../local/world/workloads.ts';
import { nodeTags } from '../worlds/instances.ts';
import type { World } from '../worlds/world.ts';
import { ask } from './support/api.ts';
import { stateOf, terminate, untilGone, workers } from './support/groups.ts';
import { conditionOf, nodeNameOf, nodeOf, nodesOf } from './support/nodes.ts';
import { passesOf, untilSaid } from './support/passes.ts';
import { create, isGoing, podsOf, untilReady } from './support/pods.ts';

/** Nodes and instances that are not as they mostly are. */
export const machineCases: Cases<World> = {
  // What users complain of in other drainers: NTH #666, #1203; KND #24.
  'a Node that has another name than the DNS name of its instance is found by its providerID': async (
    world,
  ) => {
    const [leaving = ''] = await workers(world, { size: 2, tags: { [nodeTags.nodeName]: 'worker' } });
    expect(await nodeNameOf(world, leaving)).toBe(`worker-${leaving.slice(-4)}`);
    await create(world, deployment({ name: 'web', replicas: 2, graceSeconds: 2 }));
    await untilReady(world, 'web', 2);
    terminate(world, leaving);
    await untilGone(world, leaving);
    expect(await nodesOf(world)).toHaveLength(1);
    await untilReady(world, 'web', 2);
  },

  // NTH #575.
  'an instance that has never joined is let go at once': async (world) => {
    const [leaving = ''] = await workers(world, { size: 1, tags: { [nodeTags.joins]: 'never' } });
    terminate(world, leaving);
    expect(await untilGone(world, leaving, 30)).toBeLessThan(20);
    expect(passesOf(world, leaving)[0]).toMatchObject({
      outcome: 'done',
      reason: 'it has no node; its hook is completed',
    });
  },

  'an instance whose Node is gone before is let go at once': async (world) => {
    const [leaving = ''] = await workers(world, { size: 1 });
    await ask(world, 'DELETE', `/api/v1/nodes/${await nodeNameOf(world, leaving)}`);
    terminate(world, leaving);
    expect(await untilGone(world, leaving, 30)).toBeLessThan(20);
    expect(passesOf(world, leaving).at(-1)).toMatchObject({ outcome: 'done' });
  },

  // LM #44; NTH #361.
  'a drain does not wait for the pods of a dead kubelet': async (world) => {
    const [leaving = ''] = await workers(world, { size: 1, tags: { 'drover.dev/drain-timeout': '10m' } });
    await create(world, deployment({ name: 'web', replicas: 2, graceSeconds: 3 }));
    await untilReady(world, 'web', 2);
    world.kubelet(leaving).stop();
    await world.until(async () => conditionOf(await nodeOf(world, leaving), 'Ready') === 'Unknown', {
      withinSeconds: 90,
      what: 'the silence of the kubelet noticed',
    });
    terminate(world, leaving);
    expect(await untilGone(world, leaving)).toBeLessThan(40);
    expect(await nodesOf(world)).toEqual([]);
  },

  'a kubelet that hangs for a moment only delays its drain': async (world) => {
    const [leaving = ''] = await workers(world, { size: 1, tags: { 'drover.dev/drain-timeout': '2m' } });
    await create(world, deployment({ name: 'web', replicas: 2, graceSeconds: 2 }));
    await untilReady(world, 'web', 2);
    const node = await nodeNameOf(world, leaving);
    world.kubelet(leaving).pause();
    terminate(world, leaving);
    await untilSaid(world, leaving, /waits for 2 pods, none of them held/);
    await world.pass(8);
    expect((await podsOf(world, 'web', node)).filter(isGoing)).toHaveLength(2);
    expect(stateOf(world, leaving)).toBe('Terminating:Wait');
    world.kubelet(leaving).resume();
    await untilGone(world, leaving);
  },

  'the Node of an instance that has died is deleted, at the latest once the sweep has seen it': async (
    world,
  ) => {
    const [dying = '', other = ''] = await workers(world, { size: 2, withHook: false });
    world.account.ec2.accidents.kill(dying);
    await untilGone(world, dying);
    expect(await world.invoke('sweep', {})).toMatchObject({ kind: 'succeeded' });
    await world.until(async () => (await nodeOf(world, dying)) === undefined, {
      // A kubelet that has reported a moment ago may be that of another machine: the node controller calls it silent after 50 s.
      withinSeconds: 120,
      what: 'the Node of the dead instance deleted',
    });
    expect(await nodeOf(world, other)).toBeDefined();
  },

  'a node whose kubelet has died is replaced by the sweep, once it was not Ready for as long as its group allows':
    async (world) => {
      const [dying = '', other = ''] = await workers(world, {
        size: 2,
        tags: { 'drover.dev/repair': 'NotReady=1m' },
      });
      world.kubelet(dying).stop();
      await world.until(async () => conditionOf(await nodeOf(world, dying), 'Ready') === 'Unknown', {
        withinSeconds: 90,
        what: 'the silence of the kubelet noticed',
      });
      expect(await world.invoke('sweep', {})).toMatchObject({ kind: 'succeeded' });
      expect(stateOf(world, dying)).toBe('InService');
      await world.pass(62);
      expect(await world.invoke('sweep', {})).toMatchObject({ kind: 'succeeded' });
      await untilGone(world, dying);
      expect(await nodeOf(world, dying)).toBeUndefined();
      expect(stateOf(world, other)).toBe('InService');
    },
};
