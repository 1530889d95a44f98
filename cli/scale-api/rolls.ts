import type * as z from 'zod/mini';
import { type roll, rollList } from '../../shared/scale-api/schemas/answers/roll.ts';
import { everyPage } from './every-page.ts';
import type { Requester } from './requester.ts';

export type ApiRoll = z.infer<typeof roll>;

/** The requests about rolls. Each rejects with a ScaleApiError. */
export interface RollRequests {
  /** By name. */
  list(): Promise<readonly ApiRoll[]>;
}

export const rollRequests = (api: Requester): RollRequests => ({
  list: async () => {
    const pages = await everyPage('/rolls', (page) => api.get(page, rollList));
    return pages.flatMap(({ rolls }) => rolls);
  },
});
