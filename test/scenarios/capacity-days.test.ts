import { describe, expect, it } from 'vitest';
import type { CreateHandler } from '../../shared/runtime/host.ts';
import { liveDays } from '../support/capacity-days/live-days.ts';
import { type DaysPlan, planDays } from '../support/capacity-days/plan.ts';

/** A day of the months of test/heavy. */
describe('a day of holds, schedules, an autoscaler, people, infrastructure as code and faults', () => {
  it('has every floor right or its violation reported, and the bases at its end', {
    timeout: 600_000,
  }, async () => {
    const report = await liveDays(planDays(3, 1));
    expect(report.wrong).toEqual([]);
    expect(report.left).toEqual([]);
    expect(report.struck).toBeGreaterThan(10);
    expect(report.right).toBeGreaterThan(1000);
  });
});

/** Four hours with one hold and without faults. */
const quiet: DaysPlan = {
  seed: 5,
  minutes: 240,
  holds: [{ group: 'workers', name: 'sale', from: 30, to: 230, nodes: 8, raiseMaxSize: false }],
  schedules: [],
  hardHours: new Set(),
  clockOffsetSeconds: 0,
  recordLostAt: -1000,
  unreadableAt: -1000,
  maxSizes: [],
  shortages: [],
};

/** `prewarm` whose log does not contain the lines with one of these words. */
const silentAbout =
  (...words: readonly string[]) =>
  (create: CreateHandler): CreateHandler =>
  (host) =>
    create({
      ...host,
      writeLine: (line) => {
        if (!words.some((word) => line.includes(word))) host.writeLine(line);
      },
    });

describe('hours in which EC2 has no capacity', () => {
  const short: DaysPlan = { ...quiet, shortages: [{ from: 20, to: 140 }] };

  it('are reported with the type and the zone, and the hold is met when capacity is back', async () => {
    const report = await liveDays(short, { allFunctions: true });
    expect([...report.wrong, ...report.left]).toEqual([]);
    expect(report.explained).toBeGreaterThan(60);
  });

  it('are found by the judge if Drover does not report the type', async () => {
    const { wrong } = await liveDays(short, { sabotage: silentAbout('m5.large') });
    expect(wrong.length).toBeGreaterThan(60);
    expect(wrong[0]).toContain('workers: 3 of 8 nodes are in service, and Drover does not say why');
  });
});

describe('an operator who lowers MaxSize below a floor and raises it again', () => {
  const lowered: DaysPlan = {
    ...quiet,
    maxSizes: [{ group: 'workers', from: 60, to: 140, low: 5, high: 9 }],
  };

  it('sees the hold that asks for more named, and the floor restored afterwards', async () => {
    const report = await liveDays(lowered);
    expect([...report.wrong, ...report.left]).toEqual([]);
    expect(report.said).toBeGreaterThan(60);
  });

  it('sees MaxSize raised immediately by a hold with raiseMaxSize, and restored at its end', async () => {
    const holds = quiet.holds.map((hold) => ({ ...hold, raiseMaxSize: true }));
    const report = await liveDays({ ...lowered, holds });
    expect([...report.wrong, ...report.left]).toEqual([]);
    expect(report.said).toBe(0);
  });

  it('is found by the judge if Drover does not report it', async () => {
    const { wrong } = await liveDays(lowered, { sabotage: silentAbout('MaxSize is', 'in service') });
    expect(wrong.length).toBeGreaterThan(60);
    expect(wrong[0]).toContain('workers: MinSize 5, between 5 and 8 expected, and 8 asked for');
  });
});
