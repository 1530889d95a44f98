import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createTimeline } from '../../src/simulation/timeline.ts';
import { createVirtualClock } from '../../src/simulation/virtual-clock.ts';

const minute = 60_000;

const runAll = (clock: ReturnType<typeof createVirtualClock>, until: number): void => {
  while (clock.step(until));
};

describe('the virtual clock', () => {
  it('runs tasks in the order of their times, and in the order of scheduling for equal times', () => {
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 0, max: 50 }), { maxLength: 200 }), (delays) => {
        const clock = createVirtualClock(0);
        const ran: (readonly [number, number])[] = [];
        for (const [index, delay] of delays.entries())
          clock.after(delay, () => {
            expect(clock.now()).toBe(delay);
            ran.push([delay, index]);
          });
        runAll(clock, 1000);
        const expected = delays.map((delay, index) => [delay, index] as const);
        expect(ran).toEqual(expected.toSorted((one, other) => one[0] - other[0] || one[1] - other[1]));
      }),
    );
  });

  it('runs no cancelled task, and no task before its time', () => {
    const clock = createVirtualClock(0);
    const ran: string[] = [];
    clock.after(10, () => ran.push('cancelled')).cancel();
    clock.after(20, () => ran.push('in time'));
    clock.after(30, () => ran.push('later'));
    runAll(clock, 25);
    expect(ran).toEqual(['in time']);
  });
});

describe('a timeline', () => {
  const idle = { count: () => 0, isBusy: () => false };

  it('skips an hour without waiting', async () => {
    const clock = createVirtualClock(0);
    await createTimeline(clock, idle).pass(3600);
    expect(clock.now()).toBe(60 * minute);
  });

  it('does not advance the time while work is pending, for any number of event loop turns', async () => {
    const clock = createVirtualClock(0);
    let calls = 0;
    let busy = false;
    const finishedAt: number[] = [];
    const work = async (): Promise<void> => {
      busy = true;
      for (let step = 0; step < 20; step += 1) {
        calls += 1;
        await new Promise((resolve) => {
          setImmediate(resolve);
        });
      }
      finishedAt.push(clock.now());
      busy = false;
    };
    clock.after(1000, () => {
      work().catch((error: unknown) => expect.fail(String(error)));
    });
    clock.after(1001, () => undefined);
    await createTimeline(clock, { count: () => calls, isBusy: () => busy }).pass(10);
    expect(finishedAt).toEqual([1000]);
  });

  it('names the condition that was not met in time', async () => {
    const timeline = createTimeline(createVirtualClock(0), idle);
    await expect(timeline.until(() => false, { withinSeconds: 5, what: 'the drain' })).rejects.toThrow(
      'the drain did not happen within 5 simulated seconds',
    );
  });
});
