import { describe, expect, it } from 'vitest';
import { createDroverWorld, type DroverWorld, withWorkers } from '../../../local/world/drover-world.ts';
import { operatorOf } from '../operator.ts';

/** A deployment beside a cluster that has granted Drover nothing, and a group that it does not manage. */
async function untouched(
  options: { readonly tags?: Readonly<Record<string, string>> } = {},
): Promise<DroverWorld> {
  const world = createDroverWorld({ editRbac: () => [] });
  await withWorkers(world, { size: 1, hook: undefined, ...options });
  world.account.autoScaling.operations.DeleteTags({
    Tags: [
      { ResourceId: 'workers', ResourceType: 'auto-scaling-group', Key: 'drover.dev/role' },
      { ResourceId: 'workers', ResourceType: 'auto-scaling-group', Key: 'kubernetes.io/cluster/drover' },
    ],
  });
  return world;
}

const idsOf = (json: string): readonly string[] =>
  (JSON.parse(json) as { readonly steps: readonly { readonly id: string }[] }).steps.map(({ id }) => id);

describe('drover adopt --plan', () => {
  it('prints a shell script with the steps in their order, and changes nothing', async () => {
    const world = await untouched();
    const drover = operatorOf(world);
    const { code, out, err } = await drover('adopt workers --plan');
    expect({ code, err }).toEqual({ code: 0, err: '' });
    expect(out).toMatch(/# Cluster drover: 4 steps/);
    const line = (start: string) => out.split('\n').findIndex((text) => text.startsWith(start));
    expect(line('aws autoscaling create-or-update-tags')).toBeGreaterThan(line('kubectl apply'));
    expect(line('aws autoscaling put-lifecycle-hook')).toBeGreaterThan(
      line('aws autoscaling create-or-update'),
    );
    expect((await drover('adopt workers --plan')).out).toBe(out);
    const { LifecycleHooks } = world.account.autoScaling.operations.DescribeLifecycleHooks({
      AutoScalingGroupName: 'workers',
    });
    expect(LifecycleHooks).toEqual([]);
  });

  it('plans as JSON, with the commands of each step', async () => {
    const { out } = await operatorOf(await untouched())('adopt workers --json');
    expect(idsOf(out)).toEqual([
      'rights',
      'tags/workers',
      'hook/workers/drover-node-leaving',
      'hook/workers/drover-node-joining',
    ]);
  });

  it('names a group that does not exist, and fails', async () => {
    expect(await operatorOf(await untouched())('adopt wrokers')).toMatchObject({
      code: 1,
      err: expect.stringContaining('wrokers: there is no Auto Scaling group of this name'),
    });
  });

  it.each([
    'adopt',
    'adopt workers --tag drain-timeout',
    'adopt workers --tag role=worker',
    'adopt workers --heartbeat 3h',
  ])('refuses the command line %s', async (line) => {
    expect(await operatorOf(createDroverWorld())(line)).toMatchObject({ code: 2 });
  });
});

describe('drover adopt --check', () => {
  it('succeeds for a group that has all it needs, and fails with the names of what was changed', async () => {
    const world = createDroverWorld();
    await withWorkers(world, { size: 1 });
    const drover = operatorOf(world);
    expect(await drover('adopt workers --check --no-joining')).toMatchObject({ code: 0 });
    expect(await drover('adopt workers --check')).toMatchObject({
      code: 1,
      err: expect.stringContaining('hook drover-node-joining of workers'),
    });
  });
});
