import { beforeEach, describe, expect, it } from 'vitest';
import {
  createDroverWorld,
  type DroverWorld,
  membersOf,
  withWorkers,
} from '../../../local/world/drover-world.ts';
import { budget, create, deployment } from '../../../local/world/workloads.ts';
import { operatorOf } from '../operator.ts';
import { changeTemplate } from './support.ts';

let world: DroverWorld;
let ids: readonly string[];
beforeEach(async () => {
  world = createDroverWorld();
  ids = await withWorkers(world, { size: 3, settings: { MinSize: 3, MaxSize: 3 } });
  changeTemplate(world);
  await create(world, deployment({ name: 'web', replicas: 4 }), budget('web', { maxUnavailable: 1 }));
  await world.timeline.pass(30);
});

const drover = (line: string) => operatorOf(world)(line);

const marksLeft = (): readonly string[] =>
  world.kubernetes.store
    .of('nodes')
    .list()
    .filter(
      ({ metadata, spec }) =>
        metadata?.annotations?.['drover.dev/rolling'] !== undefined ||
        (spec as { taints?: { key: string }[] }).taints?.some(({ key }) => key === 'drover.dev/old-node'),
    )
    .map(({ metadata }) => metadata?.name ?? '');

describe('the function roll carries out what drover roll asks', () => {
  it('until every old node is replaced, which --wait shows', async () => {
    const { code, out, err } = await drover('roll workers --wait --bake 1m --timeout 3h');
    expect([code, err]).toEqual([0, '']);
    expect(out).toMatch(
      /roll workers is running: workers 2 old, 1 new, 1 leaving .*\n.* is leaving: it waits for its replacement/,
    );
    expect(out).toMatch(/roll workers is done: workers 0 old, 3 new, 0 leaving/);
    const now = membersOf(world).map(({ InstanceId = '' }) => InstanceId);
    expect(now).toHaveLength(3);
    expect(now.filter((id) => ids.includes(id))).toEqual([]);
    expect(marksLeft()).toEqual([]);
    expect((await drover('roll workers --dry-run')).out).toContain('no node is old');
  });

  it('until it is aborted, and nothing of it is left then', async () => {
    await drover('roll workers');
    await world.timeline.pass(150);
    expect(marksLeft().length).toBeGreaterThan(0);
    const { code, out } = await drover('roll abort workers --wait --timeout 2h');
    expect(code).toBe(0);
    expect(out).toMatch(/roll workers is aborted/);
    expect(marksLeft()).toEqual([]);
    expect(membersOf(world).some(({ InstanceId = '' }) => ids.includes(InstanceId))).toBe(true);
  });
});
