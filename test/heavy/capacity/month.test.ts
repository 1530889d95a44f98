import { expect, it } from 'vitest';
import { liveDays } from '../../support/capacity-days/live-days.ts';
import { planDays } from '../../support/capacity-days/plan.ts';

/** CAPACITY_DAYS=30 simulates a whole month, with about eight seconds of CPU for each day; CAPACITY_SEED=N draws other days. */
const days = Number(process.env.CAPACITY_DAYS ?? 8);
const seed = Number(process.env.CAPACITY_SEED ?? 1);

it.each([seed])(
  'in days of holds, schedules, an autoscaler, people, infrastructure as code, EC2 without capacity and faults every floor is right or its violation said, and the bases come back (seed %i)',
  { timeout: 1_800_000 },
  async (drawn) => {
    const report = await liveDays(planDays(drawn, days), {
      onDay: (day) => process.stderr.write(`day ${day + 1} of ${days}\n`),
    });
    console.log(JSON.stringify({ ...report, wrong: report.wrong.length }));
    expect(report.wrong).toEqual([]);
    expect(report.left).toEqual([]);
    expect(report.struck).toBeGreaterThan(10 * days);
    expect(report.changes).toBeGreaterThan(2 * days);
    expect(report.right).toBeGreaterThan(days * 1000);
    expect(report.said).toBeGreaterThan(0);
    expect(report.explained).toBeGreaterThan(0);
  },
);

it('in four days with every function awake they are right too', { timeout: 1_800_000 }, async () => {
  const { wrong, left } = await liveDays(planDays(3, 4), { allFunctions: true });
  expect([...wrong, ...left]).toEqual([]);
});
