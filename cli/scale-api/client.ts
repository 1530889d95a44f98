import type * as z from 'zod/mini';
import {
  capacityChange,
  capacityPlan,
  capacityStatus,
} from '../../shared/scale-api/schemas/answers/capacity.ts';
import { group, groupList, instanceList } from '../../shared/scale-api/schemas/answers/group.ts';
import { status } from '../../shared/scale-api/schemas/answers/status.ts';
import type { capacityRequest } from '../../shared/scale-api/schemas/requests.ts';
import type { CliContext } from '../context.ts';
import { everyPage } from './every-page.ts';
import type { ScaleApiFlags } from './flags.ts';
import { requesterOf } from './requester.ts';

export type Group = z.infer<typeof group>;
export type GroupSummary = z.infer<typeof groupList>['groups'][number];
export type Instance = z.infer<typeof instanceList>['instances'][number];
export type CapacityChange = z.infer<typeof capacityChange>;
export type CapacityPlan = z.infer<typeof capacityPlan>;
export type CapacityStatus = z.infer<typeof capacityStatus>;
type ApiStatus = z.infer<typeof status>;
type CapacityWish = z.infer<ReturnType<typeof capacityRequest>>;

/** The scale API from the side of a caller. Every method rejects with a ScaleApiError. */
export interface ScaleApi {
  listGroups(): Promise<readonly GroupSummary[]>;
  getGroup(name: string): Promise<Group>;
  /** The instances of every managed group, or of one; all pages. */
  listInstances(group?: string): Promise<readonly Instance[]>;
  /** Reads the status, and gives it little time: the caller has what was asked for. */
  readStatus(): Promise<ApiStatus>;
  planCapacity(name: string, wish: CapacityWish): Promise<CapacityPlan>;
  setCapacity(name: string, wish: CapacityWish): Promise<CapacityChange>;
  /** `link` as a change was answered with. */
  follow(link: string): Promise<CapacityStatus>;
}

const statusMilliseconds = 2000;

/** The API that the flags mean. */
export function scaleApiOf(flags: ScaleApiFlags, context: CliContext): ScaleApi {
  const api = requesterOf(flags, context);
  const pathOf = (name: string): string => `/groups/${encodeURIComponent(name)}`;
  return {
    listGroups: async () => (await api.get('/groups', groupList)).groups,
    getGroup: (name) => api.get(pathOf(name), group),
    listInstances: async (name) => {
      const query = name === undefined ? '' : `?${new URLSearchParams({ group: name }).toString()}`;
      const pages = await everyPage(`/instances${query}`, (path) => api.get(path, instanceList));
      return pages.flatMap(({ instances }) => instances);
    },
    readStatus: () => api.get('/status', status, { timeoutMilliseconds: statusMilliseconds }),
    planCapacity: (name, body) =>
      api.send({ method: 'PUT', path: `${pathOf(name)}/capacity?dryRun=true`, body }, capacityPlan),
    setCapacity: (name, body) =>
      api.send({ method: 'PUT', path: `${pathOf(name)}/capacity`, body }, capacityChange),
    follow: (link) => api.follow(link, capacityStatus),
  };
}
