import { expect, it } from 'vitest';
import { hooksOf } from '../../../cli/auto-scaling/groups.ts';
import { groupWith } from '../../shared/capacity/fixtures.ts';

const groups = Array.from({ length: 200 }, (_, index) =>
  groupWith([], { autoScalingGroupName: `group-${index}` }),
);

it('the hooks of hundreds of groups are read a few at a time', async () => {
  let running = 0;
  let most = 0;
  const describeHooks = async () => {
    running += 1;
    most = Math.max(most, running);
    await new Promise((resolve) => setImmediate(resolve));
    running -= 1;
    return [];
  };
  expect([...(await hooksOf({ describeHooks }, groups)).keys()].toSorted()).toEqual(
    groups.map(({ autoScalingGroupName }) => autoScalingGroupName).toSorted(),
  );
  expect(most).toBe(10);
});

it('the hooks of all groups are unknown if those of one cannot be read', async () => {
  const describeHooks = async (name: string) => {
    if (name === 'group-150') throw new Error('Rate exceeded');
    return [];
  };
  await expect(hooksOf({ describeHooks }, groups)).rejects.toThrow('Rate exceeded');
});
