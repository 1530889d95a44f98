import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type DroverWorld, terminate, withWorkers } from '../../local/world/drover-world.ts';
import { deleteStack, remains, runningWorld } from '../cli/leave/world.ts';
import { operatorOf } from '../cli/operator.ts';
import { bodyText } from '../support/body-text.ts';
import { chooser, createInterleaving, cutWaits } from '../support/interleaving.ts';

const choices = fc.array(fc.nat(1000), { minLength: 8, maxLength: 40 });

const membersOf = ({ account }: DroverWorld, group: string): readonly string[] =>
  account.autoScaling.operations
    .DescribeAutoScalingInstances({})
    .AutoScalingInstances.filter(({ AutoScalingGroupName }) => AutoScalingGroupName === group)
    .map(({ InstanceId = '' }) => InstanceId);

const hooksOf = ({ account }: DroverWorld, group: string): readonly string[] =>
  account.autoScaling.operations
    .DescribeLifecycleHooks({ AutoScalingGroupName: group })
    .LifecycleHooks.map(({ LifecycleHookName = '' }) => LifecycleHookName);

const tagsOf = ({ account }: DroverWorld, group: string): readonly string[] =>
  (
    account.autoScaling.operations.DescribeAutoScalingGroups({ AutoScalingGroupNames: [group] })
      .AutoScalingGroups[0]?.Tags ?? []
  )
    .map(({ Key = '' }) => Key)
    .filter((key) => key.startsWith('drover.dev/'));

/** Two plain groups, without holds. */
async function twoGroups(): Promise<DroverWorld> {
  const world = await runningWorld('eks');
  await operatorOf(world)('hold end sale --group workers --yes');
  await withWorkers(world, { size: 2, autoScalingGroupName: 'more', settings: { MinSize: 0, MaxSize: 5 } });
  return world;
}

describe('drover uninstall', () => {
  it('ends with nothing left when two operators run it at once, in every order of their calls', async () => {
    await fc.assert(
      fc.asyncProperty(choices, async (picks) => {
        const world = await runningWorld('kubeadm');
        await withWorkers(world, { size: 1, autoScalingGroupName: 'more' });
        deleteStack(world);
        const cut = cutWaits(world);
        const { machineOf, settle } = createInterleaving(world, { choose: chooser(picks) });
        const runs = await settle(
          ['one', 'other'].map((name) =>
            operatorOf(world, machineOf(name))('uninstall --yes --stage dev --json'),
          ),
        );
        for (const { code, err, out } of runs) {
          expect([code, err]).toEqual([0, '']);
          expect(JSON.parse(out)).toMatchObject({ done: true, complete: true });
        }
        expect(cut).toEqual([]);
        expect(remains(world)).toMatchObject({ hooks: ['backup'], keys: [], capacity: [] });
        expect([...tagsOf(world, 'workers'), ...tagsOf(world, 'more')]).toEqual([]);
        expect(hooksOf(world, 'more')).toEqual([]);
      }),
      { numRuns: 4 },
    );
  }, 120_000);

  it.each([
    ['a termination', (world: DroverWorld) => terminate(world, membersOf(world, 'more')[0] ?? '')],
    [
      'a launch',
      ({ account }: DroverWorld) =>
        account.autoScaling.operations.SetDesiredCapacity({
          AutoScalingGroupName: 'more',
          DesiredCapacity: 3,
        }),
    ],
  ])('waits for %s that begins in a group while another group is awaited', async (_, begin) => {
    const world = await twoGroups();
    const cut = cutWaits(world);
    terminate(world, membersOf(world, 'workers')[0] ?? '');
    await world.timeline.pass(5);
    let pauses = 0;
    const { code, err } = await operatorOf(world, {
      pause: async (milliseconds) => {
        pauses += 1;
        if (pauses === 1) begin(world);
        await world.timeline.pass(milliseconds / 1000);
      },
    })('uninstall --yes --wait 2h');
    expect(cut).toEqual([]);
    // Only the stack is left.
    expect([code, err]).toEqual([1, expect.stringMatching(/^drover: stack drover-dev is there/)]);
    expect([...hooksOf(world, 'workers'), ...hooksOf(world, 'more')]).toEqual(['backup']);
    expect([...tagsOf(world, 'workers'), ...tagsOf(world, 'more')]).toEqual([]);
  });

  it('names the groups that stay paused if an instance begins to wait after its pause', async () => {
    const world = await twoGroups();
    const cut = cutWaits(world);
    const { code, err } = await operatorOf(world, {
      onOutput: (text) => {
        if (text.startsWith('workers: tag drover.dev/paused'))
          terminate(world, membersOf(world, 'workers')[0] ?? '');
      },
    })('uninstall --yes');
    expect(cut).toEqual([]);
    expect(code).toBe(1);
    expect(err).toMatch(/workers has not left, because an instance waits: i-\w+ is in Terminating:Wait/);
    expect(err).toContain('Until then workers stays paused, and Drover drains no node there: drover resume');
    expect(tagsOf(world, 'workers')).toContain('drover.dev/paused');
  });

  it('names the group that could not be paused in time', async () => {
    const world = await twoGroups();
    const { awsRequestHandler } = world.doors('operator');
    const { code, err } = await operatorOf(world, {
      awsRequestHandler: {
        handle: async (request, options) => {
          const body = bodyText(request.body);
          // The answer comes after an hour.
          if (body.includes('CreateOrUpdateTags') && body.includes('workers'))
            await world.timeline.pass(3600);
          return await awsRequestHandler.handle(request, options);
        },
      },
    })('uninstall --yes');
    expect([code, err]).toEqual([
      1,
      expect.stringMatching(/^drover: workers: tag drover\.dev\/paused: .*60 s.* drover uninstall goes on/),
    ]);
    expect(hooksOf(world, 'workers')).toContain('drover-node-leaving');
  });
});
