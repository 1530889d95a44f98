import { beforeEach, describe, expect, it } from 'vitest';
import { keptWhileAway } from '../../../shared/identity/kept-while-away.ts';

let now: number;
let readings: number;
let failure: Error | undefined;
let failures: number;
let read: () => Promise<number>;

beforeEach(() => {
  now = 0;
  readings = 0;
  failure = undefined;
  failures = 0;
  read = keptWhileAway({
    clock: { now: () => now },
    freshSeconds: 30,
    staleSeconds: 600,
    read: async () => {
      readings += 1;
      if (failure) throw failure;
      return readings;
    },
    onFailure: () => {
      failures += 1;
    },
  });
});

describe('a value that is kept', () => {
  it('is read again after its time, and not before', async () => {
    expect(await read()).toBe(1);
    now = 29_999;
    expect(await read()).toBe(1);
    now = 30_000;
    expect(await read()).toBe(2);
  });

  it('is read once for those who ask at one time', async () => {
    expect(await Promise.all([read(), read(), read()])).toEqual([1, 1, 1]);
    expect(readings).toBe(1);
  });

  it('is used for a while if it cannot be read, and each failure is reported', async () => {
    await read();
    failure = new Error('away');
    now = 600_000;
    expect(await read()).toBe(1);
    expect(failures).toBe(1);
    now = 600_001;
    await expect(read()).rejects.toThrow('away');
    expect(failures).toBe(1);
  });

  it('is not read again at once after a failure', async () => {
    await read();
    failure = new Error('away');
    now = 30_000;
    await read();
    now = 59_999;
    expect(await read()).toBe(1);
    expect([readings, failures]).toEqual([2, 1]);
    failure = undefined;
    now = 60_000;
    expect(await read()).toBe(3);
  });

  it('is read again after the clock was set back, and is used for its time from then on', async () => {
    now = 7_200_000;
    await read();
    now = 3_600_000;
    expect(await read()).toBe(2);
    now = 10_000;
    failure = new Error('away');
    expect([await read(), failures]).toEqual([2, 1]);
    now += 600_000;
    await expect(read()).rejects.toThrow('away');
  });

  it('is not used for longer because the clock was set back after a failure', async () => {
    now = 7_200_000;
    await read();
    failure = new Error('away');
    now += 30_000;
    await read();
    failure = undefined;
    now = 3_600_000;
    expect(await read()).toBe(3);
  });

  it('is not there before it was read once', async () => {
    failure = new Error('away');
    await expect(read()).rejects.toThrow('away');
    failure = undefined;
    expect(await read()).toBe(2);
  });

  it('counts from the last reading that went well', async () => {
    await read();
    now = 500_000;
    await read();
    failure = new Error('away');
    now = 1_100_000;
    expect(await read()).toBe(2);
  });
});
