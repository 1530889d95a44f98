import type { Cases } from '@drover/cloud-sandbox/truth/contract.ts';
import { expect } from 'vitest';
import { deployment } from '../../../local/world/workloads.ts';
import type { OwnWorld } from '../worlds/world.ts';
import { stateOf, terminate, untilGone, workers } from './support/groups.ts';
import { nodesOf } from './support/nodes.ts';
import { evictedIn, forcedIn, passesOf, untilSaid } from './support/passes.ts';
import { create, untilReady } from './support/pods.ts';

const patient = { 'drover.dev/drain-timeout': '5m' };

/** What goes wrong around a drain, and would go wrong for everybody else in the same cluster. */
export const outageCases: Cases<OwnWorld> = {
  'a pass that is killed in the middle of what it does loses no notice and no pod': async (world) => {
    const [taken = ''] = await workers(world, { size: 1, spot: true, withHook: false, tags: patient });
    await create(world, deployment({ name: 'web', replicas: 3, graceSeconds: 3, stopsAfterSeconds: 1 }));
    await untilReady(world, 'web', 3);
    world.killNext('node-leaving', 1);
    world.account.ec2.accidents.interruptSpot(taken);
    await untilSaid(world, taken, /it is handed back to Auto Scaling/, 110);
    expect(world.killed()).toBeGreaterThan(0);
    expect(forcedIn(world, taken)).toBe(0);
    await untilReady(world, 'web', 3);
  },

  'a restart of the API server during a drain only delays it': async (world) => {
    const [leaving = ''] = await workers(world, { size: 1, tags: patient });
    const slow = { name: 'slow', replicas: 2, graceSeconds: 30, stopsAfterSeconds: 10 };
    await create(world, deployment(slow));
    await untilReady(world, 'slow', 2);
    terminate(world, leaving);
    await untilSaid(world, leaving, /waits for 2 pods, none of them held/);
    await world.apiServer.stop();
    await world.pass(1);
    await world.apiServer.start();
    await untilGone(world, leaving, 60);
    expect(await nodesOf(world)).toEqual([]);
    expect(evictedIn(world, leaving)).toBe(2);
  },

  'while the API server is away the wait is kept, and the drain begins when it is back': async (world) => {
    const [leaving = ''] = await workers(world, { size: 1, tags: patient });
    await create(world, deployment({ name: 'web', replicas: 2, graceSeconds: 2 }));
    await untilReady(world, 'web', 2);
    await world.apiServer.stop();
    terminate(world, leaving);
    await world.pass(10);
    expect(await world.invoke('certificate-requests', {})).toMatchObject({ kind: 'failed' });
    expect(stateOf(world, leaving)).toBe('Terminating:Wait');
    expect(passesOf(world, leaving)).toContainEqual(
      expect.objectContaining({ reason: 'the pass failed and is tried again' }),
    );
    await world.apiServer.start();
    await untilGone(world, leaving);
    // A scheduler that has not yet heard of the cordon may send a pod back.
    expect(evictedIn(world, leaving)).toBeGreaterThanOrEqual(2);
    expect(forcedIn(world, leaving)).toBe(0);
    expect(await nodesOf(world)).toEqual([]);
  },
};
