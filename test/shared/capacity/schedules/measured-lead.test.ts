import { describe, expect, it } from 'vitest';
import {
  defaultLeadSeconds,
  measuredLeadSeconds,
} from '../../../../shared/capacity/schedules/measured-lead.ts';

/** Launches that took so many seconds, the newest first. */
const launchesOf = (...seconds: readonly number[]) =>
  seconds.map((each, index) => {
    const endedAt = Date.parse('2026-12-01T00:00:00Z') - index * 3_600_000;
    return { startedAt: endedAt - each * 1000, endedAt };
  });

describe('the measured lead of a group', () => {
  it('is ten minutes for a group that has not launched anything', () => {
    expect(measuredLeadSeconds([])).toBe(defaultLeadSeconds);
    expect(defaultLeadSeconds).toBe(600);
  });

  it('is what nine of ten launches take, and a minute and a half', () => {
    expect(measuredLeadSeconds(launchesOf(200, 210, 220, 230, 240, 250, 260, 270, 280, 900))).toBe(370);
    expect(measuredLeadSeconds(launchesOf(300.2))).toBe(391);
  });

  it('is of the twenty newest launches', () => {
    const launches = launchesOf(
      ...Array.from({ length: 20 }, () => 100),
      ...Array.from({ length: 20 }, () => 900),
    );
    expect(measuredLeadSeconds(launches.toReversed())).toBe(190);
  });

  it('is two minutes at least, and half an hour at most', () => {
    expect(measuredLeadSeconds(launchesOf(5))).toBe(120);
    expect(measuredLeadSeconds(launchesOf(7200))).toBe(1800);
  });
});
