import { describe, expect, it } from 'vitest';
import { problemsOf } from '../../../../shared/capacity/schedules/check-schedule.ts';
import { group } from '../holds/fixtures.ts';
import { schedule } from './support.ts';

const now = Date.parse('2026-11-24T09:00:00Z');
const problems = (given: Parameters<typeof problemsOf>[0], changes: Parameters<typeof group>[0] = {}) =>
  problemsOf(given, { group: group(changes), now });

const dates = (from: string, count: number): readonly string[] =>
  Array.from({ length: count }, (_, day) =>
    new Date(Date.parse(from) + day * 86_400_000).toISOString().slice(0, 10),
  );

describe('a schedule of a group', () => {
  it('has no problem where its holds can be made', () => {
    expect(problems(schedule())).toEqual([]);
  });

  it('changes no group of etcd', () => {
    const tags = { ...group().tags, 'drover.dev/role': 'etcd' };
    expect(problems(schedule(), { tags })).toEqual([expect.stringContaining('membership of etcd')]);
  });

  it('changes no group whose sizes are units', () => {
    expect(problems(schedule(), { countsUnits: true })).toEqual([
      expect.stringContaining('no size in nodes'),
    ]);
  });

  it('asks for MaxSize at most, unless it raises it', () => {
    expect(problems(schedule({}, { nodes: 10 }))).toEqual([]);
    expect(problems(schedule({}, { nodes: 11 }))).toEqual([expect.stringContaining('MaxSize is 10')]);
    expect(problems(schedule({}, { nodes: 11, raiseMaxSize: true }))).toEqual([]);
  });

  it('runs not too often within its duration', () => {
    const everyMinute = schedule({ expression: 'cron(* * * * ? *)' }, { durationSeconds: 86_400 });
    expect(problems(everyMinute)).toEqual([expect.stringContaining('within its duration')]);
  });

  it('runs in the future, or has a hold that has not ended yet', () => {
    const at = (time: string) => schedule({ expression: `at(2026-11-24T${time})` });
    expect(problems(at('07:00:01'))).toEqual([]);
    expect(problems(at('06:59:59'))).toEqual([expect.stringContaining('it never runs')]);
  });

  it('runs although its next days are exceptions, and never where all its days are', () => {
    expect(problems(schedule({}, { exceptions: dates('2026-11-24', 200) }))).toEqual([]);
    const once = schedule({ expression: 'at(2026-12-24T08:00:00)' }, { exceptions: ['2026-12-24'] });
    expect(problems(once)).toEqual([expect.stringContaining('it never runs')]);
  });

  it('has each of its problems named', () => {
    const past = schedule({ expression: 'at(2026-01-01T08:00:00)' }, { nodes: 11 });
    expect(problems(past)).toHaveLength(2);
  });
});
