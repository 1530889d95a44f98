import { describe, expect, it } from 'vitest';
import {
  formatDefinition,
  readDefinition,
  readSchedule,
} from '../../../../shared/capacity/schedules/schedule.ts';
import { definition, record } from './support.ts';

describe('the definition in the input of a schedule', () => {
  it.each([
    definition(),
    definition({ lead: 'measured', exceptions: ['2026-12-25'], raiseMaxSize: true, by: 'ana' }),
  ])('is read as it was written', (given) => {
    expect(readDefinition(formatDefinition(given))).toEqual({ kind: 'definition', definition: given });
  });

  it('is readable JSON', () => {
    expect(JSON.parse(formatDefinition(definition({ exceptions: ['2026-12-25'] })))).toEqual({
      version: 1,
      work: 'schedule',
      autoScalingGroupName: 'workers',
      nodes: 5,
      durationSeconds: 7200,
      lead: 600,
      exceptions: ['2026-12-25'],
    });
  });

  it.each([
    ['no JSON', 'nodes: 5'],
    ['another version', JSON.stringify({ ...definition(), version: 2, work: 'schedule' })],
    ['no nodes', formatDefinition(definition({ nodes: 0 }))],
    ['a duration of seconds', formatDefinition(definition({ durationSeconds: 59 }))],
    ['a duration of eight days', formatDefinition(definition({ durationSeconds: 8 * 86_400 }))],
    ['a lead of two hours', formatDefinition(definition({ lead: 7200 }))],
    ['an exception that is not a date', formatDefinition(definition({ exceptions: ['2027-02-29'] }))],
  ])('is refused with %s', (_, text) => expect(readDefinition(text).kind).toBe('unreadable'));
});

describe('a schedule of Scheduler', () => {
  it('is paused while it is disabled, and has the bounds of Scheduler', () => {
    expect(readSchedule(record({ enabled: false, startsAt: 1, endsAt: 2 }))).toMatchObject({
      kind: 'schedule',
      schedule: { name: 'office-hours', paused: true, nodes: 5, timing: { timeZone: 'UTC', from: 1, to: 2 } },
    });
  });

  it.each([
    ['a name that no hold can have', { name: 'office_hours' }, /name must be/],
    ['a name that is too long', { name: 'a'.repeat(49) }, /name must be/],
    ['a rate', { expression: 'rate(1 day)' }, /does not know when rate\(1 day\) runs/],
    [
      'a cron expression of Unix',
      { expression: 'cron(0 8 * * 1-5)' },
      /it needs six fields .*cron\(0 8 \? \* MON-FRI \*\)/,
    ],
    [
      'two fields of days',
      { expression: 'cron(0 8 * * * *)' },
      /exactly one of day of month and day of week must be \?/,
    ],
    [
      'no field of days',
      { expression: 'cron(0 8 ? * ? *)' },
      /exactly one of day of month and day of week must be \?/,
    ],
    [
      'an hour that is none',
      { expression: 'cron(0 24 ? * MON *)' },
      /hours 24: 24 is not a value from 0 to 23/,
    ],
    ['an offset', { expression: 'at(2026-12-24T08:00:00Z)' }, /without an offset/],
    ['an unknown time zone', { timeZone: 'Europe/Atlantis' }, /no time zone Europe\/Atlantis/],
    ['the input of something else', { input: '{}' }, /^the input of its target: version/],
  ])('is unreadable with %s', (_, given, why) => {
    expect(readSchedule(record(given))).toMatchObject({
      kind: 'unreadable',
      why: expect.stringMatching(why),
    });
  });
});
