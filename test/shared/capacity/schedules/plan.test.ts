import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  defaultLeadSeconds,
  measuredLeadSeconds,
} from '../../../../shared/capacity/schedules/measured-lead.ts';
import {
  groupsToMeasure,
  occurrencesBetween,
  planSchedules,
} from '../../../../shared/capacity/schedules/plan.ts';
import type { Schedule } from '../../../../shared/capacity/schedules/schedule.ts';
import { schedule } from './support.ts';

const at = (text: string): number => Date.parse(text);

const planAt = (now: string, given: Schedule, measured = 900) =>
  planSchedules([{ kind: 'schedule', schedule: given }], { now: at(now), measured: () => measured });

const namesAt = (now: string, given: Schedule, measured?: number): readonly string[] =>
  planAt(now, given, measured).holds.map(({ name }) => name);

describe('the hold of a schedule', () => {
  it('has the name, the floor and the end of the occurrence', () => {
    expect(planAt('2026-12-01T08:00:00Z', schedule({}, { raiseMaxSize: true }))).toEqual({
      holds: [
        {
          autoScalingGroupName: 'workers',
          name: 'office-hours.20261201T0800Z',
          nodes: 5,
          until: at('2026-12-01T10:00:00Z'),
          raiseMaxSize: true,
          by: 'schedule office-hours',
        },
      ],
      problems: [],
    });
  });

  it.each([
    ['not before the lead', '2026-12-01T07:49:59Z', []],
    ['at the lead', '2026-12-01T07:50:00Z', ['office-hours.20261201T0800Z']],
    ['late, within the duration', '2026-12-01T09:59:59Z', ['office-hours.20261201T0800Z']],
    ['not after its end', '2026-12-01T10:00:00Z', []],
  ])('is due %s', (_, now, names) => expect(namesAt(now, schedule())).toEqual(names));

  it('is due by the measured lead of its group', () => {
    const measured = schedule({}, { lead: 'measured' });
    expect(namesAt('2026-12-01T07:44:59Z', measured, 900)).toEqual([]);
    expect(namesAt('2026-12-01T07:45:00Z', measured, 900)).toHaveLength(1);
  });

  it('is due in the previous month for five minutes past midnight of the first', () => {
    const first = schedule({ expression: 'cron(5 0 1 * ? *)', timeZone: 'America/New_York' });
    expect(namesAt('2027-01-01T04:54:59Z', first)).toEqual([]);
    expect(namesAt('2027-01-01T04:55:00Z', first)).toEqual(['office-hours.20270101T0505Z']);
  });

  it('is not due for a time that clocks skip in spring, and due once for a time that they repeat in autumn', () => {
    const night = schedule(
      { expression: 'cron(30 2 * * ? *)', timeZone: 'Europe/Berlin' },
      { durationSeconds: 5 * 3600 },
    );
    expect(namesAt('2027-03-28T01:00:00Z', night)).toEqual([]);
    const names = ['00:30', '01:30', '02:30'].flatMap((time) => namesAt(`2027-10-31T${time}:00Z`, night));
    expect(new Set(names)).toEqual(new Set(['office-hours.20271031T0030Z']));
  });

  it('is not due on a date that is an exception in its time zone', () => {
    const auckland = schedule({ timeZone: 'Pacific/Auckland' }, { exceptions: ['2026-12-25'] });
    expect(namesAt('2026-12-24T19:00:00Z', auckland)).toEqual([]);
    expect(namesAt('2026-12-25T19:00:00Z', auckland)).toEqual(['office-hours.20261225T1900Z']);
  });

  it('is not due while the schedule is paused', () => {
    expect(planAt('2026-12-01T08:00:00Z', schedule({ enabled: false }))).toEqual({ holds: [], problems: [] });
  });

  it('belongs to the newest occurrence if several overlap', () => {
    const hourly = schedule({ expression: 'cron(0 * * * ? *)' });
    expect(namesAt('2026-12-01T08:49:00Z', hourly)).toEqual(['office-hours.20261201T0800Z']);
    expect(namesAt('2026-12-01T08:51:00Z', hourly)).toEqual(['office-hours.20261201T0900Z']);
  });

  it('is not due before the start date or after the end date in Scheduler', () => {
    const bounded = schedule({ startsAt: at('2026-12-02T00:00:00Z'), endsAt: at('2026-12-02T23:00:00Z') });
    expect(namesAt('2026-12-01T08:00:00Z', bounded)).toEqual([]);
    expect(namesAt('2026-12-02T08:00:00Z', bounded)).toHaveLength(1);
    expect(namesAt('2026-12-03T08:00:00Z', bounded)).toEqual([]);
  });

  it('is due once for one time', () => {
    const once = schedule({ expression: 'at(2026-12-24T18:30:00)', timeZone: 'Europe/Berlin' });
    expect(namesAt('2026-12-24T17:20:00Z', once)).toEqual(['office-hours.20261224T1730Z']);
    expect(namesAt('2027-12-24T17:30:00Z', once)).toEqual([]);
  });

  it('is due at every minute between its lead and its end, with one name, and at no other', () => {
    const zones = ['UTC', 'Europe/Berlin', 'Australia/Lord_Howe', 'America/St_Johns'] as const;
    fc.assert(
      fc.property(
        fc.constantFrom(...zones),
        fc.integer({ min: 0, max: 3600 }),
        fc.integer({ min: 60, max: 86_399 - 3600 }),
        fc.integer({ min: 0, max: 3 * 365 * 1440 }),
        (timeZone, lead, durationSeconds, minutes) => {
          const given = schedule({ timeZone }, { lead, durationSeconds });
          const now = at('2026-12-01T00:00:00Z') + minutes * 60_000;
          const occurrences = occurrencesBetween(given, {
            after: now - 3 * 86_400_000,
            to: now + 3 * 86_400_000,
          });
          const standing = occurrences.filter(
            (moment) => moment - lead * 1000 <= now && now < moment + durationSeconds * 1000,
          );
          const { holds } = planAt(new Date(now).toISOString(), given);
          expect(holds.map(({ until }) => until - durationSeconds * 1000)).toEqual(standing.slice(-1));
        },
      ),
    );
  });
});

describe('the problems of schedules', () => {
  it('name a schedule that cannot be read, while holds of others are due', () => {
    const plan = planSchedules(
      [
        { kind: 'unreadable', name: 'broken', why: 'there is no time zone Mars' },
        { kind: 'schedule', schedule: schedule() },
      ],
      { now: at('2026-12-01T08:00:00Z'), measured: () => 0 },
    );
    expect(plan.problems).toEqual(['schedule broken makes no holds: there is no time zone Mars']);
    expect(plan.holds).toHaveLength(1);
  });

  it('name a schedule with too many holds at the same time', () => {
    const dense = schedule({ expression: 'cron(0/5 * * * ? *)' }, { durationSeconds: 7500 });
    expect(planAt('2026-12-01T08:00:00Z', dense)).toEqual({
      holds: [],
      problems: [expect.stringMatching(/^schedule office-hours makes no holds: .* runs more than 24 times/)],
    });
    expect(planAt('2026-12-01T08:00:00Z', schedule({ expression: 'cron(0/5 * * * ? *)' })).problems).toEqual(
      [],
    );
  });
});

describe('the groups whose lead is measured now', () => {
  const measured = (given = {}, asked = {}) =>
    ({ kind: 'schedule', schedule: schedule(given, { lead: 'measured', ...asked }) }) as const;

  it('have an occurrence within an hour', () => {
    expect(groupsToMeasure([measured()], at('2026-12-01T06:59:59Z'))).toEqual(new Set());
    expect(groupsToMeasure([measured()], at('2026-12-01T07:00:00Z'))).toEqual(new Set(['workers']));
    expect(groupsToMeasure([measured()], at('2026-12-01T08:00:00Z'))).toEqual(new Set());
  });

  it('exclude groups of paused schedules, of set leads and of schedules that cannot be read', () => {
    const readings = [
      measured({ enabled: false }),
      measured({}, { lead: 60 }),
      { kind: 'unreadable', name: 'broken', why: 'broken' } as const,
    ];
    expect(groupsToMeasure(readings, at('2026-12-01T07:30:00Z'))).toEqual(new Set());
  });
});

/** Launches that took these numbers of seconds, the newest first. */
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

  it('is the time within which nine of ten launches ended, plus 90 seconds', () => {
    expect(measuredLeadSeconds(launchesOf(200, 210, 220, 230, 240, 250, 260, 270, 280, 900))).toBe(370);
    expect(measuredLeadSeconds(launchesOf(300.2))).toBe(391);
  });

  it('counts the twenty newest launches', () => {
    const launches = launchesOf(
      ...Array.from({ length: 20 }, () => 100),
      ...Array.from({ length: 20 }, () => 900),
    );
    expect(measuredLeadSeconds(launches.toReversed())).toBe(190);
  });

  it('is at least two minutes and at most half an hour', () => {
    expect(measuredLeadSeconds(launchesOf(5))).toBe(120);
    expect(measuredLeadSeconds(launchesOf(7200))).toBe(1800);
  });
});
