import { expect, it } from 'vitest';
import { addEtcdGroup } from '../../local/etcd-group.ts';
import { terminate } from '../../local/world/drover-world.ts';
import { createEtcdDroverWorld } from '../../local/world/etcd/etcd-world.ts';
import { inService, untilWhole } from '../../local/world/etcd/expectations.ts';

it('a pass whose time is up asks no other member for a removal that the last one did not answer', async () => {
  const calls: string[] = [];
  let isSlow = false;
  const isRemoval = (what: string): boolean => what.endsWith('/member/remove');
  const world = createEtcdDroverWorld({
    weather: {
      latencyMilliseconds: ({ to, what }) => (isSlow && to === 'etcd' && !isRemoval(what) ? 4500 : 0),
      strike: ({ what }) => (isSlow && isRemoval(what) ? { kind: 'hang-before' } : undefined),
      onCall: ({ caller, what }) => {
        if (isSlow && caller === 'etcd-membership') calls.push(what);
      },
    },
  });
  addEtcdGroup(world, { size: 5 });
  await untilWhole(world, 5);
  isSlow = true;
  terminate(world, inService(world)[0] ?? '');
  await world.timeline.pass(90);
  // An invocation ends by hiding its message, and the next one begins by reading the groups.
  const ends = calls.flatMap((what, index) => (what === 'sqs ChangeMessageVisibilityBatch' ? [index] : []));
  expect(ends.length).toBeGreaterThan(1);
  expect(ends.map((index) => calls[index + 1] ?? 'autoscaling DescribeAutoScalingGroups')).toEqual(
    ends.map(() => 'autoscaling DescribeAutoScalingGroups'),
  );
  expect(calls.filter(isRemoval).length).toBeGreaterThan(3);
});
