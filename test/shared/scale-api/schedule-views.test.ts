import { describe, expect, it } from 'vitest';
import { formatDefinition, readSchedule } from '../../../shared/capacity/schedules/schedule.ts';
import { viewSchedules } from '../../../shared/scale-api/schedule-views.ts';

const now = Date.UTC(2026, 0, 5, 9);
const input = formatDefinition({
  autoScalingGroupName: 'workers',
  nodes: 3,
  durationSeconds: 3600,
  lead: 'measured',
  exceptions: [],
  raiseMaxSize: false,
});
const record = { name: 'noon', expression: 'cron(0 12 * * ? *)', timeZone: 'UTC', enabled: true, input };
const view = (...records: readonly Partial<typeof record>[]) =>
  viewSchedules(
    records.map((part) => readSchedule({ ...record, ...part })),
    { now, groups: { kind: 'known', value: [{ autoScalingGroupName: 'workers' }] } },
  );

describe('viewSchedules', () => {
  it('says when the nodes of each are Ready next, by name', () => {
    expect(view({ name: 'noon' }, { name: 'early', expression: 'cron(0 6 * * ? *)' })).toMatchObject([
      { name: 'early', state: 'active', next: '2026-01-06T06:00:00.000Z' },
      { name: 'noon', state: 'active', next: '2026-01-05T12:00:00.000Z' },
    ]);
  });

  it('names no next time of one that is paused, and of one whose time has begun', () => {
    const [begun, paused] = view(
      { name: 'begun', expression: 'at(2026-01-05T08:30:00)' },
      { name: 'paused', enabled: false },
    );
    expect([begun, paused]).toMatchObject([{ state: 'never' }, { state: 'paused' }]);
    expect([begun, paused].map((one) => one && 'next' in one)).toEqual([false, false]);
  });

  it('says why one makes no holds, and quotes nothing of it', () => {
    expect(view({ input: '{"secret": 1}' })).toEqual([
      { name: 'noon', state: 'unreadable', reason: expect.not.stringContaining('secret": 1') },
    ]);
  });

  it('names the missing group of a schedule', () => {
    const [gone, there] = view({ name: 'gone', input: input.replace('workers', 'wrokers') }, {});
    expect(gone).toMatchObject({ problem: 'there is no managed group wrokers, so its holds bring no nodes' });
    expect(there).not.toHaveProperty('problem');
  });
});
