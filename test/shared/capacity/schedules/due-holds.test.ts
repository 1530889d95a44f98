import { describe, expect, it } from 'vitest';
import { dueHolds, type ScheduleSource } from '../../../../shared/capacity/schedules/due-holds.ts';
import { record } from './support.ts';

const at = (text: string): number => Date.parse(`2026-12-01T${text}:00Z`);
const launch = { startedAt: at('00:00'), endedAt: at('00:10') };

function sourceOf(given: Partial<ScheduleSource> = {}) {
  const measured: string[] = [];
  const source: ScheduleSource = {
    readSchedules: async () => ({ records: [record({}, { lead: 'measured' })], failures: [] }),
    readLaunches: async (name) => {
      measured.push(name);
      return [launch];
    },
    ...given,
  };
  return { source, measured };
}

describe('the holds that schedules ask for now', () => {
  it('are made as long ahead as launches of the group took', async () => {
    const { source } = sourceOf();
    expect((await dueHolds(source, at('07:48'))).holds).toEqual([]);
    expect((await dueHolds(source, at('07:49'))).holds).toMatchObject([
      { name: 'office-hours.20261201T0800Z' },
    ]);
  });

  it('need no activities of a group until an occurrence is near', async () => {
    const { source, measured } = sourceOf();
    await dueHolds(source, at('06:59'));
    expect(measured).toEqual([]);
    await dueHolds(source, at('07:00'));
    expect(measured).toEqual(['workers']);
  });

  it('are made ten minutes ahead where the lead cannot be measured, which is a problem', async () => {
    const { source } = sourceOf({ readLaunches: () => Promise.reject(new Error('Throttling')) });
    expect((await dueHolds(source, at('07:49'))).holds).toEqual([]);
    expect(await dueHolds(source, at('07:50'))).toMatchObject({
      holds: [{}],
      problems: ['the lead of workers cannot be measured, and is 600 s: Throttling'],
    });
  });

  it('are none where the schedules cannot be read, which is a problem', async () => {
    const { source } = sourceOf({ readSchedules: () => Promise.reject(new Error('AccessDenied')) });
    expect(await dueHolds(source, at('07:50'))).toEqual({
      holds: [],
      problems: ['schedules cannot be read: AccessDenied'],
    });
  });

  it('are made where another schedule cannot be read, which is a problem', async () => {
    const { source } = sourceOf({
      readSchedules: async () => ({
        records: [record({}, { lead: 600 })],
        failures: [{ name: 'other', error: new Error('AccessDenied') }],
      }),
    });
    expect(await dueHolds(source, at('07:50'))).toMatchObject({
      holds: [{}],
      problems: ['schedule other makes no holds until it can be read: AccessDenied'],
    });
  });
});
