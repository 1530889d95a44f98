import * as z from 'zod/mini';
import { changedSchedule, schedule, scheduleList } from '../../shared/scale-api/schemas/answers/schedule.ts';
import type { schedulePause, scheduleRequest } from '../../shared/scale-api/schemas/requests.ts';
import { dryRunQuery, type Requester } from './requester.ts';

export type ScheduleBody = z.infer<ReturnType<typeof scheduleRequest>>;

interface Options {
  readonly dryRun: boolean;
}

/** The requests about schedules. Each rejects with a ScaleApiError. */
export interface ScheduleRequests {
  list(): Promise<z.infer<typeof scheduleList>['schedules']>;
  read(name: string, count: number): Promise<z.infer<typeof schedule>>;
  put(
    name: string,
    body: ScheduleBody,
    options: Options & { readonly replace: boolean },
  ): Promise<z.infer<typeof changedSchedule>>;
  patch(
    name: string,
    body: z.infer<ReturnType<typeof schedulePause>>,
    options: Options,
  ): Promise<z.infer<typeof changedSchedule>>;
  remove(name: string, options: Options): Promise<void>;
}

export function scheduleRequests(api: Requester): ScheduleRequests {
  const pathOf = (name: string): string => `/schedules/${encodeURIComponent(name)}`;
  return {
    list: async () => (await api.get('/schedules', scheduleList)).schedules,
    read: (name, count) => api.get(`${pathOf(name)}?count=${count}`, schedule),
    put: (name, body, { dryRun, replace }) => {
      const query = `?dryRun=${dryRun}&replace=${replace}`;
      return api.send({ method: 'PUT', path: `${pathOf(name)}${query}`, body }, changedSchedule);
    },
    patch: (name, body, options) =>
      api.send({ method: 'PATCH', path: `${pathOf(name)}${dryRunQuery(options)}`, body }, changedSchedule),
    remove: async (name, options) => {
      await api.send({ method: 'DELETE', path: `${pathOf(name)}${dryRunQuery(options)}` }, z.undefined());
    },
  };
}
