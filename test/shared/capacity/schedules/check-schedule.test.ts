import { describe, expect, it } from 'vitest';
import {
  isSameSchedule,
  planSchedule,
  problemsOf,
} from '../../../../shared/capacity/schedules/check-schedule.ts';
import { group } from '../holds/fixtures.ts';
import { record, schedule } from './support.ts';

const now = Date.parse('2026-11-24T09:00:00Z');
const problems = (given: Parameters<typeof problemsOf>[0], changes: Parameters<typeof group>[0] = {}) =>
  problemsOf(given, { group: group(changes), now });

const dates = (from: string, count: number): readonly string[] =>
  Array.from({ length: count }, (_, day) =>
    new Date(Date.parse(from) + day * 86_400_000).toISOString().slice(0, 10),
  );

describe('a schedule of a group', () => {
  it('has no problem if its holds can be created', () => {
    expect(problems(schedule())).toEqual([]);
  });

  it('cannot change an etcd group', () => {
    const tags = { ...group().tags, 'drover.dev/role': 'etcd' };
    expect(problems(schedule(), { tags })).toEqual([expect.stringContaining('membership of etcd')]);
  });

  it('cannot change a group that counts units', () => {
    expect(problems(schedule(), { countsUnits: true })).toEqual([
      expect.stringContaining('no size in nodes'),
    ]);
  });

  it('may ask for at most MaxSize, unless it raises it', () => {
    expect(problems(schedule({}, { nodes: 10 }))).toEqual([]);
    expect(problems(schedule({}, { nodes: 11 }))).toEqual([expect.stringContaining('MaxSize is 10')]);
    expect(problems(schedule({}, { nodes: 11, raiseMaxSize: true }))).toEqual([]);
  });

  it('raises MaxSize up to maxSizeLimit of the deployment, if the caller knows it', () => {
    const problemsWith = (nodes: number, maxSizeLimit?: number, raiseMaxSize = true) =>
      problemsOf(schedule({}, { nodes, raiseMaxSize }), { group: group(), maxSizeLimit, now });
    expect(problemsWith(20, 20)).toEqual([]);
    expect(problemsWith(21, 20)).toEqual([expect.stringContaining('maxSizeLimit of the deployment is 20')]);
    expect(problemsWith(21)).toEqual([]);
    expect(problemsWith(10, 5)).toEqual([]);
    expect(problemsWith(11, 5)).toEqual([expect.stringContaining('maxSizeLimit of the deployment is 5')]);
    expect(problemsWith(11, 5, false)).toEqual([expect.stringContaining('MaxSize is 10')]);
  });

  it('may not run too often within its duration', () => {
    const everyMinute = schedule({ expression: 'cron(* * * * ? *)' }, { durationSeconds: 86_400 });
    expect(problems(everyMinute)).toEqual([expect.stringContaining('within its duration')]);
  });

  it('must run in the future, or have a hold that has not ended yet', () => {
    const at = (time: string) => schedule({ expression: `at(2026-11-24T${time})` });
    expect(problems(at('07:00:01'))).toEqual([]);
    expect(problems(at('06:59:59'))).toEqual([expect.stringContaining('it never runs')]);
  });

  it('runs even if its next days are exceptions, but not if all its days are', () => {
    expect(problems(schedule({}, { exceptions: dates('2026-11-24', 200) }))).toEqual([]);
    const once = schedule({ expression: 'at(2026-12-24T08:00:00)' }, { exceptions: ['2026-12-24'] });
    expect(problems(once)).toEqual([expect.stringContaining('it never runs')]);
  });

  it('is reported with each of its problems', () => {
    const past = schedule({ expression: 'at(2026-01-01T08:00:00)' }, { nodes: 11 });
    expect(problems(past)).toHaveLength(2);
  });
});

describe('two schedules', () => {
  it.each([
    ['a pause', record({ enabled: false })],
    ['the name', record({ name: 'another' })],
    ['the maker', record({}, { by: 'ben' })],
    ['the layout of the input', record({ input: JSON.stringify(JSON.parse(record().input), null, 2) })],
  ])('ask for the same if they differ by %s', (_, other) => {
    expect(isSameSchedule(record({}, { by: 'ana' }), other)).toBe(true);
  });

  it.each([
    ['the expression', record({ expression: 'cron(0 9 * * ? *)' })],
    ['the time zone', record({ timeZone: 'Europe/Berlin' })],
    ['the nodes', record({}, { nodes: 6 })],
    ['the exceptions', record({}, { exceptions: ['2026-12-24'] })],
    ['an input that cannot be read', record({ input: '{}' })],
  ])('ask for something else if they differ by %s', (_, other) => {
    expect(isSameSchedule(record(), other)).toBe(false);
  });

  it('that cannot be read are compared by their text', () => {
    expect(isSameSchedule(record({ input: 'x' }), record({ input: 'x' }))).toBe(true);
    expect(isSameSchedule(record({ input: 'x' }), record({ input: 'y' }))).toBe(false);
  });
});

describe('a request for a schedule', () => {
  const wanted = record({}, { nodes: 6, by: 'ana' });

  it('creates it if the name is free', () => {
    expect(planSchedule(undefined, wanted, { mayReplace: false })).toEqual({
      kind: 'created',
      record: wanted,
    });
  });

  it.each([true, false])('changes nothing if the schedule asks for the same, paused or not', (mayReplace) => {
    const before = record({ enabled: false }, { nodes: 6, by: 'ben' });
    expect(planSchedule(before, wanted, { mayReplace })).toEqual({ kind: 'unchanged', record: before });
  });

  it('replaces another schedule only if the caller allows it, and keeps its pause and its time window', () => {
    const before = record({ enabled: false, startsAt: now, endsAt: now + 1 });
    expect(planSchedule(before, wanted, { mayReplace: false })).toEqual({ kind: 'taken', record: before });
    expect(planSchedule(before, wanted, { mayReplace: true })).toEqual({
      kind: 'replaced',
      record: { ...wanted, enabled: false, startsAt: now, endsAt: now + 1 },
    });
  });
});
