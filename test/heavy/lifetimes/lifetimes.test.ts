import { describe, expect, it } from 'vitest';
import { describeViolation } from '../../support/lifetimes/describe-violation.ts';
import type { LifetimeReport } from '../../support/lifetimes/lifetime.ts';
import { liveMany } from '../../support/lifetimes/many.ts';
import { isLong } from '../../support/lifetimes/plan/long.ts';
import { isRolling } from '../../support/lifetimes/plan/rolls.ts';
import { readSettings } from './settings.ts';

const settings = readSettings(process.env);

const sumOf = (
  reports: readonly LifetimeReport[],
  part: 'calls' | 'simulatedSeconds' | 'rolled' | 'leftReserved',
): number => reports.reduce((sum, report) => sum + report[part], 0);

/** Reports progress every ten seconds, and each violation immediately. */
function progress(count: number) {
  let reportedAt = performance.now();
  return ({ violation }: LifetimeReport, ended: number): void => {
    if (violation) console.error(describeViolation(violation));
    if (performance.now() - reportedAt < 10_000) return;
    reportedAt = performance.now();
    console.log(`${ended} of ${count} lifetimes`);
  };
}

describe('thousands of lifetimes', () => {
  it('break no rule at any step, and end with nothing left over', { timeout: 14_400_000 }, async () => {
    const { count } = settings;
    const { reports, wallSeconds, cpuSeconds } = await liveMany({ ...settings, onReport: progress(count) });
    const hours = Math.round(sumOf(reports, 'simulatedSeconds') / 3600);
    console.log(
      `${count} lifetimes in ${Math.round(wallSeconds)} s on ${settings.threads} threads (${Math.round(cpuSeconds)} s of processor): ${hours} simulated hours, ${sumOf(reports, 'calls')} calls`,
    );
    const long = reports.filter(({ seed, violation }) => isLong(seed) && !violation);
    console.log(`a message was received 900 times in ${long.map(({ seed }) => seed).join(', ') || 'none'}`);
    const rolling = reports.filter(({ seed, violation }) => isRolling(seed) && !violation);
    const rolled = sumOf(rolling, 'rolled');
    console.log(`rolls replaced ${rolled} instances in ${rolling.length} lifetimes`);
    const leftReserved = sumOf(reports, 'leftReserved');
    console.log(`passes left ${leftReserved} nodes reserved`);
    const broken = reports.flatMap(({ violation }) =>
      violation ? [`${violation.seed} ${violation.rule}: ${violation.finding}`] : [],
    );
    expect(broken).toEqual([]);
    // In fewer lifetimes, faults or people may hold each roll.
    if (rolling.length >= 10) expect(rolled).toBeGreaterThan(rolling.length);
    // One lifetime in ten does: none in so many means that the plans draw it too rarely.
    if (count >= 100) expect(leftReserved).toBeGreaterThan(0);
    expect(long.filter(({ renewals }) => renewals === 0).map(({ seed }) => seed)).toEqual([]);
  });
});
