import { describe, expect, it } from 'vitest';
import {
  createDroverWorld,
  type DroverWorld,
  hookName,
  membersOf,
  nodesOf,
  stateOf,
  withWorkers,
} from '../../local/world/drover-world.ts';
import { deployment, podsNamed, run } from '../../local/world/workloads.ts';
import { eventsOn } from '../support/observed-instance.ts';

const nodeName = 'ip-10-0-0-4';

/** Every instance has the same host name, so the next one registers under the Node of the last one. */
const sameName = { kubelets: { configure: () => ({ nodeName }) } };

/** An instance dies unseen, and the next one has taken its name. */
async function nameUsedAgain(hook: { hook?: { name: string; heartbeatTimeoutSeconds: number } | undefined }) {
  const world = createDroverWorld(sameName);
  const [dying = ''] = await withWorkers(world, { size: 1, ...hook });
  world.account.events.disturb({ lost: 1 });
  world.account.ec2.accidents.kill(dying);
  await world.timeline.pass(120);
  world.account.events.disturb({});
  return { world, dying };
}

const inService = (world: DroverWorld) =>
  membersOf(world).filter(({ LifecycleState }) => LifecycleState === 'InService');

describe('a Node that the next instance of the same name keeps alive', () => {
  it.each([
    ['with a hook', { hook: { name: hookName, heartbeatTimeoutSeconds: 300 } }],
    ['without a hook', { hook: undefined }],
  ])('stays with its pods, and it is said why (%s)', async (_, hook) => {
    const { world, dying } = await nameUsedAgain(hook);
    expect(inService(world)).toHaveLength(1);
    await run(world, deployment({ name: 'web', replicas: 3 }));
    await world.timeline.pass(20 * 60);
    expect(nodesOf(world)).toEqual([nodeName]);
    expect(podsNamed(world, 'web').map(({ status }) => status?.phase)).toEqual(Array(3).fill('Running'));
    expect(stateOf(world, dying)).toBeUndefined();
    expect(eventsOn(world, nodeName)).toContain('NodeTaken');
    expect(world.kubernetes.store.of('nodes').list()[0]?.spec?.unschedulable).toBeUndefined();
  });
});
