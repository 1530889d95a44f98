import { expect, it } from 'vitest';
import { createDroverWorld, withWorkers } from '../../local/world/drover-world.ts';
import { boundsOf, putHold } from '../../local/world/holds.ts';
import { operatorOf } from '../cli/operator.ts';

it('a group whose types get weights during a hold returns to its base, and accepts no more holds', async () => {
  const world = createDroverWorld();
  await withWorkers(world, { size: 1, settings: { MinSize: 1, MaxSize: 5 } });
  const { operations } = world.account.autoScaling;
  const weigh = (WeightedCapacity: string) => {
    const [group] = operations.DescribeAutoScalingGroups({}).AutoScalingGroups;
    operations.UpdateAutoScalingGroup({
      AutoScalingGroupName: 'workers',
      MixedInstancesPolicy: {
        LaunchTemplate: {
          LaunchTemplateSpecification:
            group?.LaunchTemplate ?? group?.MixedInstancesPolicy?.LaunchTemplate?.LaunchTemplateSpecification,
          Overrides: [{ InstanceType: 'm5.large', WeightedCapacity }],
        },
      },
    });
  };
  putHold(world, { nodes: 3, minutes: 600 });
  await world.timeline.pass(180);
  expect(boundsOf(world)).toMatchObject({ minSize: 3, desiredCapacity: 3 });
  weigh('2');
  await world.timeline.pass(600);
  expect(boundsOf(world)).toMatchObject({ minSize: 1, desiredCapacity: 3 });
  expect(JSON.stringify(world.lines)).toContain('hold morning does not count: the group counts units');
  const drover = operatorOf(world);
  const hold = ['hold', 'create', 'workers', '2', '--name', 'sale', '--for', '1h'];
  expect(await drover(hold)).toMatchObject({ code: 1, err: expect.stringContaining('no size in nodes') });
  const schedule = [
    'schedule',
    'create',
    'workers',
    '2',
    '--name',
    'day',
    '--cron',
    '0 8 * * ? *',
    '--for',
    '1h',
  ];
  expect(await drover(schedule)).toMatchObject({
    code: 1,
    err: expect.stringContaining('no size in nodes'),
  });
  weigh('1');
  await world.timeline.pass(600);
  expect(boundsOf(world)).toMatchObject({ minSize: 3 });
});
