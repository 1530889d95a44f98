import { describe, expect, it } from 'vitest';
import { httpEvent } from '../../../local/world/http-event.ts';
import {
  type ScheduleStore,
  ScheduleStoreError,
} from '../../../shared/capacity/schedules/change-schedules.ts';
import { formatDefinition } from '../../../shared/capacity/schedules/schedule.ts';
import { readHttpCall } from '../../../shared/scale-api/http-call.ts';
import { toProblem } from '../../../shared/scale-api/problem.ts';
import { routes } from '../../../shared/scale-api/routes.ts';
import type { ScaleContext } from '../../../shared/scale-api/scale-context.ts';

const input = formatDefinition({
  autoScalingGroupName: 'workers',
  nodes: 3,
  durationSeconds: 3600,
  lead: 60,
  exceptions: [],
  raiseMaxSize: false,
});
const record = { name: 'noon', expression: 'cron(0 12 * * ? *)', timeZone: 'UTC', enabled: true, input };

/** A request to one of the routes, over a store with one schedule. Its status, or that of its problem. */
async function statusOf(method: string, body: object, store: Partial<ScheduleStore>): Promise<number> {
  const context = {
    now: () => Date.UTC(2026, 0, 5),
    recordChange: () => undefined,
    schedules: () => ({ read: async () => record, ...store }),
  } as unknown as ScaleContext;
  const route = method === 'PATCH' ? routes.pauseSchedule : routes.deleteSchedule;
  const call = readHttpCall(httpEvent(method, '/schedules/noon', { body: JSON.stringify(body) }));
  try {
    return (await route?.answer(context, call, { schedule: 'noon' }))?.statusCode ?? 0;
  } catch (error) {
    return toProblem(error).problem.status;
  }
}

describe('a schedule that is deleted while it is changed', () => {
  it('is not found', async () => {
    const gone = { setEnabled: async () => false, remove: async () => false };
    expect(await statusOf('PATCH', { paused: true }, gone)).toBe(404);
    expect(await statusOf('DELETE', {}, gone)).toBe(404);
  });
});

describe('a schedule that is as wanted already', () => {
  it('is not written again', async () => {
    const setEnabled = () => Promise.reject(new Error('nothing is to be written'));
    expect(await statusOf('PATCH', { paused: false }, { setEnabled })).toBe(200);
  });
});

describe('EventBridge Scheduler that refuses', () => {
  it.each([
    ['throttled', 503],
    ['unavailable', 503],
    ['denied', 500],
    ['invalid', 422],
  ] as const)('%s is %i', async (code, status) => {
    const refuse = () => Promise.reject(new ScheduleStoreError(code, 'in our words', { cause: undefined }));
    expect(await statusOf('PATCH', { paused: true }, { setEnabled: refuse })).toBe(status);
  });
});
