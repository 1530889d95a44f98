import { describe, expect, it } from 'vitest';
import { liveDays } from '../support/capacity-days/live-days.ts';
import { planDays } from '../support/capacity-days/plan.ts';

/** A day of the months of test/heavy. */
describe('a day of holds, schedules, an autoscaler, people, infrastructure as code and faults', () => {
  it('has every floor right or its violation said, and the bases at its end', {
    timeout: 600_000,
  }, async () => {
    const report = await liveDays(planDays(3, 1));
    expect(report.wrong).toEqual([]);
    expect(report.left).toEqual([]);
    expect(report.struck).toBeGreaterThan(10);
    expect(report.right).toBeGreaterThan(1000);
  });
});
