import type * as z from 'zod/mini';
import { changedRoll, type roll, rollList } from '../../shared/scale-api/schemas/answers/roll.ts';
import type { rollChange } from '../../shared/scale-api/schemas/requests.ts';
import { everyPage } from './every-page.ts';
import { dryRunQuery, type Requester } from './requester.ts';

export type ApiRoll = z.infer<typeof roll>;

type RollChange = z.infer<ReturnType<typeof rollChange>>;

/** The requests about rolls. Each rejects with a ScaleApiError. */
export interface RollRequests {
  /** By name. */
  list(): Promise<readonly ApiRoll[]>;
  patch(
    name: string,
    body: RollChange,
    options: { readonly dryRun: boolean },
  ): Promise<z.infer<typeof changedRoll>>;
}

export const rollRequests = (api: Requester): RollRequests => ({
  list: async () => {
    const pages = await everyPage('/rolls', (page) => api.get(page, rollList));
    return pages.flatMap(({ rolls }) => rolls);
  },
  patch: (name, body, options) =>
    api.send(
      { method: 'PATCH', path: `/rolls/${encodeURIComponent(name)}${dryRunQuery(options)}`, body },
      changedRoll,
    ),
});
