import { describe, expect, it } from 'vitest';
import { joiningFaults, joinThrough } from '../../support/joining-faults.ts';
import { shareOf } from '../share.ts';

describe('500 nodes that are launched at once, just before ten minutes of a fault', () => {
  it.each(shareOf('JOINING_SHARE', joiningFaults))(
    'join, none is replaced, and each request is approved within a minute of its end: $name',
    { timeout: 1_800_000 },
    async (fault) => {
      const { launched, served, verdicts, decidedAfterSeconds, servedAfterSeconds, strikes } =
        await joinThrough(fault, [{ atSecond: -8, count: 500 }]);
      const lastDecision = Math.max(...decidedAfterSeconds);
      console.log(
        `${fault.name}: last decision after ${lastDecision} s, all in service after ${servedAfterSeconds} s`,
      );
      if (fault.strike) expect(strikes).toBeGreaterThan(0);
      expect(launched.size).toBe(500);
      expect(served).toEqual(launched);
      expect(verdicts).toHaveLength(1000);
      expect(new Set(verdicts)).toEqual(new Set(['DroverApproved']));
      expect(lastDecision).toBeLessThanOrEqual(60);
    },
  );
});
