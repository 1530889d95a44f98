import { createVirtualClock } from '@drover/cloud-sandbox/simulation';
import { expect, it } from 'vitest';
import { createLooker } from '../../../../cli/ui/look/looker.ts';
import { state } from '../../../ui/states.ts';
import { advance } from '../advance.ts';

it('reads once for all who ask at the same time, and again five seconds after the end', async () => {
  const clock = createVirtualClock();
  const readings: ((value: ReturnType<typeof state>) => void)[] = [];
  let told = 0;
  const looker = createLooker<ReturnType<typeof state>>({
    read: () => new Promise((resolve) => readings.push(resolve)),
    onRead: () => {
      told += 1;
    },
    onFault: () => expect.unreachable(),
    clock,
  });
  const asked = [looker.look(), looker.look()];
  expect(looker.latest()).toBeUndefined();
  advance(clock, 4000);
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

it('waits after a reading as long as the reading was, up to a minute', async () => {
  const clock = createVirtualClock();
  let readings = 0;
  let seconds = 20;
  const looker = createLooker({
    read: async () => {
      readings += 1;
      advance(clock, seconds * 1000);
      return state();
    },
    onRead: () => undefined,
    onFault: () => expect.unreachable(),
    clock,
  });
  await looker.look();
  for (const [pause, next] of [
    [20, 300],
    [60, 1],
    [5, 1],
  ] as const) {
    const before = readings;
    seconds = next;
    advance(clock, pause * 1000 - 1);
    await looker.look();
    expect(readings).toBe(before);
    advance(clock, 1);
    await looker.look();
    expect(readings).toBe(before + 1);
  }
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
    onFault: () => expect.unreachable(),
    clock,
  });
  await expect(looker.look()).rejects.toThrow('a mistake of ours');
  await looker.look();
  expect(calls).toBe(1);
  advance(clock, 5000);
  await expect(looker.look()).rejects.toThrow('a mistake of ours');
});

/** A looker whose readings give a state, or fail. */
function lookerOf(read: () => ReturnType<typeof state>) {
  let now = Date.UTC(2026, 0, 5, 8);
  let readings = 0;
  const faults: unknown[] = [];
  const looker = createLooker({
    read: async () => {
      readings += 1;
      return read();
    },
    onRead: () => undefined,
    onFault: (error) => faults.push(error),
    clock: { now: () => now },
  });
  return {
    looker,
    faults,
    readings: () => readings,
    advance: (milliseconds: number) => {
      now += milliseconds;
    },
  };
}

it('says when the reading began that it shows, however much later it is asked', async () => {
  const { looker, advance: sleep } = lookerOf(() => state());
  await looker.look();
  const readAt = looker.latest()?.readAt;
  sleep(3_600_000);
  expect(looker.latest()?.readAt).toBe(readAt);
  expect((looker.latest()?.now ?? 0) - (readAt ?? 0)).toBe(3_600_000);
});

it('reads again although the clock of the machine was set back', async () => {
  const { looker, advance: set, readings } = lookerOf(() => state());
  await looker.look();
  set(-3_600_000);
  await looker.look();
  expect(readings()).toBe(2);
});

it('reports a mistake once for a reading, however often it is asked for', async () => {
  const broken = lookerOf(() => {
    throw new Error('a mistake of ours');
  });
  for (let turn = 0; turn < 10; turn += 1) broken.looker.refresh();
  await new Promise((resolve) => setImmediate(resolve));
  broken.looker.refresh();
  expect(broken.faults).toHaveLength(1);
  expect(broken.readings()).toBe(1);
  broken.advance(5000);
  broken.looker.refresh();
  await new Promise((resolve) => setImmediate(resolve));
  expect(broken.faults).toHaveLength(2);
});

it('waits twice as long each time while it is asked for fewer calls, up to a minute, and then as usual', async () => {
  let unknown: ReturnType<typeof state>['unknown'] = [
    { what: 'the groups', reason: 'Rate exceeded', isThrottled: true },
  ];
  const { looker, advance: pass, readings } = lookerOf(() => state({ unknown }));
  await looker.look();
  for (const pause of [10_000, 20_000, 40_000, 60_000, 60_000]) {
    const before = readings();
    pass(pause - 1);
    await looker.look();
    expect(readings()).toBe(before);
    pass(1);
    await looker.look();
    expect(readings()).toBe(before + 1);
  }
  unknown = [{ what: 'the groups', reason: 'denied' }];
  pass(60_000);
  await looker.look();
  pass(5000);
  const before = readings();
  await looker.look();
  expect(readings()).toBe(before + 1);
});
