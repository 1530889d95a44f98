import type * as z from 'zod/mini';
import {
  begunRoll,
  changedRoll,
  type roll,
  rollList,
  rollStatus,
} from '../../shared/scale-api/schemas/answers/roll.ts';
import type { rollChange } from '../../shared/scale-api/schemas/requests.ts';
import type { rollRequest } from '../../shared/scale-api/schemas/roll-request.ts';
import { everyPage } from './every-page.ts';
import { dryRunQuery, type Requester } from './requester.ts';

export type ApiRoll = z.infer<typeof roll>;

/** A roll, and how far it is. */
export type ApiRollStatus = z.infer<typeof rollStatus>;

/** What a roll is asked for. */
export type RollBody = z.infer<ReturnType<typeof rollRequest>>;

type RollChange = z.infer<ReturnType<typeof rollChange>>;

/** The requests about rolls. Each rejects with a ScaleApiError. */
export interface RollRequests {
  /** By name. */
  list(): Promise<readonly ApiRoll[]>;
  get(name: string): Promise<ApiRollStatus>;
  /** Begins it, or finds that it exists. */
  put(
    name: string,
    body: RollBody,
    options: { readonly dryRun: boolean },
  ): Promise<z.infer<typeof begunRoll>>;
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
  get: (name) => api.get(pathOf(name), rollStatus),
  put: (name, body, options) =>
    api.send({ method: 'PUT', path: `${pathOf(name)}${dryRunQuery(options)}`, body }, begunRoll),
  patch: (name, body, options) =>
    api.send({ method: 'PATCH', path: `${pathOf(name)}${dryRunQuery(options)}`, body }, changedRoll),
});

const pathOf = (name: string): string => `/rolls/${encodeURIComponent(name)}`;
