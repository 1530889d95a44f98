import { expect, it } from 'vitest';
import { poll } from '../../../scripts/bench/real/poll.ts';

it('a poll ends with the value, or fails with what it has found when its time is over', async () => {
  expect(await poll(async () => ({ kind: 'done', value: 3 }), 0)).toBe(3);
  const found = '2 of 3 Nodes are Ready';
  await expect(poll(async () => ({ kind: 'waiting', found }), 0)).rejects.toThrow(
    'after 0 s 2 of 3 Nodes are Ready',
  );
});
