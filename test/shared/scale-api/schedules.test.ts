import { describe, expect, it } from 'vitest';
import { httpEvent } from '../../../local/world/http-event.ts';
import { GroupsError } from '../../../shared/capacity/groups.ts';
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

describe('schedules whose groups cannot be read', () => {
  const get = async (target: '/schedules' | '/schedules/noon', listGroups: () => Promise<unknown>) => {
    const failures: unknown[] = [];
    const context = {
      now: () => Date.UTC(2026, 0, 5),
      clusterName: 'drover',
      groups: { listGroups },
      withinTime: (_: number, work: Promise<unknown>) => work,
      functionName: 'scale-api',
      onPartFailure: (_: string, error: unknown) => failures.push(error),
      schedules: () => ({ read: async () => record, list: async () => [record] }),
    } as unknown as ScaleContext;
    const route = target === '/schedules' ? routes.listSchedules : routes.getSchedule;
    const result = await route?.answer(context, readHttpCall(httpEvent('GET', target)), { schedule: 'noon' });
    const body = JSON.parse(result?.body ?? '');
    return { status: result?.statusCode, body: body.schedules?.[0] ?? body, failures };
  };

  it.each(['/schedules', '/schedules/noon'] as const)('are shown, and say that: GET %s', async (target) => {
    const answer = await get(target, () => Promise.reject(new Error('not authorized: role x')));
    expect(answer).toMatchObject({
      status: 200,
      body: {
        name: 'noon',
        problem:
          'whether there is a managed group workers is unknown: the groups: could not be read; see the log of scale-api',
      },
      failures: [new Error('not authorized: role x')],
    });
  });

  it.each(['/schedules', '/schedules/noon'] as const)(
    'name a group that is missing: GET %s',
    async (target) => {
      const answer = await get(target, async () => []);
      expect(answer).toMatchObject({
        status: 200,
        body: { problem: 'there is no managed group workers, so its holds bring no nodes' },
        failures: [],
      });
    },
  );
});

describe('a schedule with a measured lead, whose group was deleted', () => {
  it('is shown with the usual lead, and can be paused', async () => {
    const measured = { ...record, input: JSON.stringify({ ...JSON.parse(input), lead: 'measured' }) };
    let paused = false;
    const context = {
      now: () => Date.UTC(2026, 0, 5),
      clusterName: 'drover',
      recordChange: () => undefined,
      withinTime: (_: number, work: Promise<unknown>) => work,
      groups: {
        listGroups: async () => [],
        readLaunches: () => Promise.reject(new GroupsError('gone', 'there is no such group')),
      },
      schedules: () => ({
        read: async () => measured,
        setEnabled: async () => {
          paused = true;
          return true;
        },
      }),
    } as unknown as ScaleContext;
    const path = { schedule: 'noon' };
    const get = readHttpCall(httpEvent('GET', '/schedules/noon'));
    const shown = await routes.getSchedule?.answer(context, get, path);
    expect(JSON.parse(shown?.body ?? '')).toMatchObject({ leadSeconds: 600, problem: expect.anything() });
    const patch = readHttpCall(httpEvent('PATCH', '/schedules/noon', { body: '{"paused": true}' }));
    expect(await routes.pauseSchedule?.answer(context, patch, path)).toMatchObject({ statusCode: 200 });
    expect(paused).toBe(true);
  });
});

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
