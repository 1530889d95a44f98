import { describe, expect, it } from 'vitest';
import { joiningFaults, joinThrough } from '../../support/joining-faults.ts';

/** Before the fault, so that kubelets are at each step of a join when it begins; in its middle, and just before it ends. */
const waves = [
  { atSecond: -8, count: 2 },
  { atSecond: 300, count: 2 },
  { atSecond: 585, count: 2 },
] as const;

describe('nodes that are launched around ten minutes of a fault', () => {
  it.each(joiningFaults)(
    'join, none is replaced, and each request is approved within a minute of its end: $name',
    async (fault) => {
      const { launched, served, verdicts, decidedAfterSeconds, strikes } = await joinThrough(fault, waves);
      if (fault.strike) expect(strikes).toBeGreaterThan(0);
      expect(served).toEqual(launched);
      expect(verdicts).toEqual(Array.from({ length: 12 }, () => 'DroverApproved'));
      expect(Math.max(...decidedAfterSeconds)).toBeLessThanOrEqual(60);
    },
  );
});
