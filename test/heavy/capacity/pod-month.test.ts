import { describe, expect, it } from 'vitest';
import { liveMonth } from '../../support/pod-month/live-month.ts';
import { planMonth } from '../../support/pod-month/plan.ts';
import type { Sabotage } from '../../support/pod-month/prewarm.ts';

/** POD_MONTH_SEED=N draws another month, POD_MONTH_DAYS=N a shorter one. A day takes about two seconds of CPU. */
const seed = Number(process.env.POD_MONTH_SEED ?? 1);
const days = Number(process.env.POD_MONTH_DAYS ?? 30);

it(`in a month of holds for pods and nodes, schedules, an autoscaler, people and faults, open pods have room or the reason is said, and the bases come back (seed ${seed})`, {
  timeout: 1_800_000,
}, async () => {
  const report = await liveMonth(planMonth(seed, days));
  const { before, ...counts } = { ...report, wrong: report.wrong.length };
  console.log(JSON.stringify(counts));
  expect(report.wrong, before.join('\n')).toEqual([]);
  expect(report.left).toEqual([]);
  expect(report.struck).toBeGreaterThan(days);
  expect(report.met).toBeGreaterThan(days * 100);
  // A few days may have no minute in which MaxSize or a fault keeps room away for long.
  if (days >= 30) expect(report.said).toBeGreaterThan(0);
  expect(report.atBase).toBeGreaterThan(days * 100);
});

describe('the judge of the month finds a prewarm that', () => {
  const readingWith = (change: (nodes: number) => number): Sabotage => ({
    message: (body) => body.replace(/("nodes":)(\d+)/, (_, key, nodes) => `${key}${change(Number(nodes))}`),
  });
  let most = 0;
  const bugs: readonly (readonly [string, Sabotage, RegExp])[] = [
    ['asks for one node too few', readingWith((nodes) => Math.max(0, nodes - 1)), /open pods lack room/],
    [
      'never asks for fewer nodes again',
      readingWith((nodes) => {
        most = Math.max(most, nodes);
        return most;
      }),
      /are the most that are needed/,
    ],
    [
      'does not write down which bounds it sets',
      {
        context: ({ parameters, ...context }) => ({
          ...context,
          parameters: {
            ...parameters,
            write: async (name, text) =>
              await parameters.write(name, text.replaceAll(/"ours":\[[\d,]*\]/g, '"ours":[]')),
          },
        }),
      },
      /without holds, and the base is/,
    ],
  ];
  it.each(bugs)('%s', { timeout: 600_000 }, async (_, sabotage, complaint) => {
    const { wrong } = await liveMonth(planMonth(1, 2), { sabotage });
    expect(wrong.join('\n')).toMatch(complaint);
  });
});
