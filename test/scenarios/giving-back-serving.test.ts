import type { CallInFlight } from '@drover/cloud-sandbox';
import { describe, expect, it } from 'vitest';
import {
  createDroverWorld,
  type DroverWorld,
  type DroverWorldOptions,
  withWorkers,
} from '../../local/world/drover-world.ts';
import { boundsOf, putHold, serving } from '../../local/world/holds.ts';
import { givingBackAnnotation } from '../../shared/nodes/node-keys.ts';

const minute = 60;

/** A group of one worker that a hold has raised to three. */
async function heldWorld(options: DroverWorldOptions = {}): Promise<DroverWorld> {
  const world = createDroverWorld(options);
  await withWorkers(world, {
    size: 1,
    tags: { 'drover.dev/give-back-empty': 'true' },
    settings: { MinSize: 1, MaxSize: 5 },
  });
  putHold(world, { nodes: 3, minutes: 15 });
  await world.timeline.until(() => serving(world) === 3, { withinSeconds: 300, what: 'the nodes' });
  await world.timeline.pass(minute);
  return world;
}

const nodesOf = ({ kubernetes }: DroverWorld) => kubernetes.store.of('nodes').list();

function cordon({ kubernetes }: DroverWorld, node: ReturnType<typeof nodesOf>[number]): void {
  kubernetes.registry.update('nodes', node, (found) => ({
    ...found,
    spec: { ...found.spec, unschedulable: true },
  }));
}

const reasonsOf = ({ lines }: DroverWorld): string => lines.map(({ reason }) => String(reason)).join('\n');

describe('the base of a group that gives nodes back', () => {
  it.each([0, 1, 2])(
    'never consists only of nodes that an operator has cordoned (all but number %i)',
    async (open) => {
      const world = await heldWorld();
      const kept = nodesOf(world)[open]?.metadata.name;
      for (const node of nodesOf(world)) if (node.metadata.name !== kept) cordon(world, node);
      await world.timeline.pass(40 * minute);
      expect(boundsOf(world)).toMatchObject({ minSize: 1, desiredCapacity: 3 });
      expect(nodesOf(world).filter(({ spec }) => spec?.unschedulable !== true)).toHaveLength(1);
      expect(reasonsOf(world)).toContain('MinSize is 1, and only 1 of 3 nodes are Ready and take pods');
    },
  );

  it('never consists only of nodes whose kubelets are silent', async () => {
    const world = await heldWorld();
    const [, second, third] = nodesOf(world);
    for (const node of [second, third])
      world.kubelets.get(node?.spec?.providerID?.split('/').at(-1) ?? '')?.pause();
    await world.timeline.pass(40 * minute);
    expect(boundsOf(world)).toMatchObject({ minSize: 1, desiredCapacity: 3 });
    const ready = nodesOf(world).filter(({ status }) =>
      status?.conditions?.some(({ type, status: is }) => type === 'Ready' && is === 'True'),
    );
    expect(ready).toHaveLength(1);
  });
});

it('keeps a node that an operator cordons between the read and the reservation', async () => {
  let name: string | undefined;
  let worlds: DroverWorld | undefined;
  const strike = ({ caller, what }: CallInFlight) => {
    const [, patched] = /^PATCH \/api\/v1\/nodes\/(.+)$/.exec(what) ?? [];
    if (caller !== 'node-leaving' || patched === undefined || name !== undefined || !worlds) return undefined;
    const node = nodesOf(worlds).find(({ metadata }) => metadata.name === patched);
    name = patched;
    if (node) cordon(worlds, node);
    return undefined;
  };
  const world = await heldWorld({ weather: { strike } });
  worlds = world;
  await world.timeline.until(() => reasonsOf(world).includes('it has just changed'), {
    withinSeconds: 30 * minute,
    what: 'the refused reservation',
  });
  await world.timeline.pass(40 * minute);
  const node = nodesOf(world).find(({ metadata }) => metadata.name === name);
  expect(node?.spec?.unschedulable).toBe(true);
  expect(node?.metadata.annotations?.[givingBackAnnotation]).toBeUndefined();
  expect(boundsOf(world)).toMatchObject({ minSize: 1, desiredCapacity: 2 });
});
