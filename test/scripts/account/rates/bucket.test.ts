import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { measureBucket, type Verdict } from '../../../../scripts/account/rates/bucket.ts';

interface Configured {
  readonly burst: number;
  readonly perSecond: number;
  readonly latencyMilliseconds: number;
  /** AWS does not say whether a refused call takes a token. */
  readonly doRefusedCount?: boolean;
}

/** A token bucket on virtual time, whose calls take some of it. */
function bucketOf({ burst, perSecond, latencyMilliseconds, doRefusedCount = false }: Configured) {
  let now = 0;
  let tokens = burst;
  let filledAt = 0;
  let calls = 0;
  const call = async (): Promise<Verdict> => {
    calls += 1;
    now += latencyMilliseconds;
    tokens = Math.min(burst, tokens + ((now - filledAt) / 1000) * perSecond);
    filledAt = now;
    const isAccepted = tokens >= 1;
    if (isAccepted || doRefusedCount) tokens = Math.max(0, tokens - 1);
    return isAccepted ? 'accepted' : 'refused';
  };
  const wait = async (seconds: number): Promise<void> => {
    now += seconds * 1000;
  };
  return { call, wait, now: () => now, calls: () => calls };
}

test('the measurement finds each bucket: its burst within a tenth and what comes back within two rounds, its rate within a sixth', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.record({
        burst: fc.integer({ min: 1, max: 150 }),
        perSecond: fc.double({ min: 0.5, max: 30, noNaN: true }),
        latencyMilliseconds: fc.integer({ min: 0, max: 10 }),
      }),
      async (configured) => {
        const { burst, perSecond, latencyMilliseconds } = configured;
        const measured = await measureBucket(bucketOf(configured));
        const ofTwoRounds = (2 * 8 * latencyMilliseconds * perSecond) / 1000;
        expect(Math.abs(measured.burst - burst)).toBeLessThanOrEqual(1 + 0.1 * burst + ofTwoRounds);
        // A smaller one gives whole tokens that are too large a part of it.
        if (burst >= 12)
          expect(Math.abs((measured.perSecond ?? 0) - perSecond)).toBeLessThanOrEqual(perSecond / 6);
      },
    ),
  );
});

test('refused calls that take tokens do not change the rate much: nothing is called in the pauses', async () => {
  const measured = await measureBucket(
    bucketOf({ burst: 60, perSecond: 5, latencyMilliseconds: 5, doRefusedCount: true }),
  );
  expect(Math.abs(measured.burst - 60)).toBeLessThanOrEqual(1);
  expect(measured.perSecond).toBeGreaterThan(4);
  expect(measured.perSecond).toBeLessThan(6);
});

test('a bucket that is never empty is a lower bound, after the last call that is allowed', async () => {
  const bucket = bucketOf({ burst: 5000, perSecond: 100, latencyMilliseconds: 1 });
  const measured = await measureBucket({ ...bucket, maximumCalls: 100 });
  expect(measured).toEqual({ burst: 100, perSecond: undefined, calls: 100, refused: 0 });
  expect(bucket.calls()).toBe(100);
});

test('a bucket that does not fill again has no rate, and the measurement ends', async () => {
  const measured = await measureBucket(bucketOf({ burst: 20, perSecond: 0, latencyMilliseconds: 1 }));
  expect(measured).toMatchObject({ burst: 20, perSecond: undefined });
  expect(measured.calls).toBeLessThan(120);
});

test('no measurement makes more calls than its maximum', async () => {
  for (const maximumCalls of [1, 8, 21, 40]) {
    const bucket = bucketOf({ burst: 20, perSecond: 5, latencyMilliseconds: 2 });
    await measureBucket({ ...bucket, maximumCalls });
    expect(bucket.calls()).toBeLessThanOrEqual(maximumCalls);
  }
});

test('an interruption ends a measurement before its next calls', async () => {
  const controller = new AbortController();
  const bucket = bucketOf({ burst: 1000, perSecond: 1, latencyMilliseconds: 1 });
  const call = (): Promise<Verdict> => {
    if (bucket.calls() === 20) controller.abort(new Error('interrupted'));
    return bucket.call();
  };
  await expect(measureBucket({ ...bucket, call, signal: controller.signal })).rejects.toThrow('interrupted');
  expect(bucket.calls()).toBeLessThanOrEqual(32);
});
