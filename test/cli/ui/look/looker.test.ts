import { createVirtualClock } from '@drover/cloud-sandbox/simulation';
import { expect, it } from 'vitest';
import { createLooker } from '../../../../cli/ui/look/looker.ts';
import { state } from '../../../ui/states.ts';
import { advance } from '../advance.ts';

it('reads once for all who ask at the same time, and again five seconds after the end', async () => {
  const clock = createVirtualClock();
  const readings: ((value: ReturnType<typeof state>) => void)[] = [];
  let told = 0;
  const looker = createLooker({
    read: () => new Promise((resolve) => readings.push(resolve)),
    onRead: () => {
      told += 1;
    },
    clock,
  });
  const asked = [looker.look(), looker.look()];
  expect(looker.latest()).toBeUndefined();
  advance(clock, 60_000);
  void looker.look();
  expect(readings).toHaveLength(1);
  readings[0]?.(state({ clusterName: 'prod' }));
  expect(told).toBe(0);
  await Promise.all(asked);
  expect(told).toBe(1);
  expect(looker.latest()).toMatchObject({ clusterName: 'prod', now: clock.now() });
  advance(clock, 4999);
  await looker.look();
  expect(readings).toHaveLength(1);
  advance(clock, 1);
  void looker.look();
  expect(readings).toHaveLength(2);
});

it('waits after a reading that failed, too', async () => {
  const clock = createVirtualClock();
  let calls = 0;
  const looker = createLooker({
    read: () => {
      calls += 1;
      throw new Error('a mistake of ours');
    },
    onRead: () => expect.unreachable(),
    clock,
  });
  await expect(looker.look()).rejects.toThrow('a mistake of ours');
  await looker.look();
  expect(calls).toBe(1);
  advance(clock, 5000);
  await expect(looker.look()).rejects.toThrow('a mistake of ours');
});
