import * as z from 'zod/mini';
import { changedHold, holdList, listedHold } from '../../shared/scale-api/schemas/answers/hold.ts';
import type { holdExtension, holdRequest } from '../../shared/scale-api/schemas/requests.ts';
import { everyPage } from './every-page.ts';
import { dryRunQuery, type Requester } from './requester.ts';

export type ApiChangedHold = z.infer<typeof changedHold>;
export type ApiHold = Omit<ApiChangedHold, 'change'>;
export type ApiListedHold = z.infer<typeof listedHold>;
type HoldBody = z.infer<ReturnType<typeof holdRequest>>;
type ExtensionBody = z.infer<ReturnType<typeof holdExtension>>;

interface Place {
  readonly autoScalingGroupName: string;
  readonly name: string;
}

interface Options {
  readonly dryRun: boolean;
}

/** The requests about holds. Each rejects with a ScaleApiError. */
export interface HoldRequests {
  list(group: string | undefined): Promise<readonly ApiListedHold[]>;
  read(place: Place): Promise<ApiListedHold>;
  put(
    place: Place,
    body: HoldBody,
    options: Options & { readonly replace?: boolean },
  ): Promise<ApiChangedHold>;
  patch(place: Place, body: ExtensionBody, options: Options): Promise<ApiChangedHold>;
  remove(place: Place, options: Options): Promise<void>;
}

export function holdRequests(api: Requester): HoldRequests {
  const groupPath = (name: string): string => `/groups/${encodeURIComponent(name)}`;
  const pathOf = ({ autoScalingGroupName, name }: Place): string =>
    `${groupPath(autoScalingGroupName)}/holds/${encodeURIComponent(name)}`;
  return {
    list: async (group) => {
      const path = group === undefined ? '/holds' : `${groupPath(group)}/holds`;
      const pages = await everyPage(path, (page) => api.get(page, holdList));
      return pages.flatMap(({ holds }) => holds);
    },
    read: (place) => api.get(pathOf(place), listedHold),
    put: (place, body, { replace = false, dryRun }) => {
      // An older deployment knows no replace, and refuses a query that it does not know.
      const query = `?dryRun=${dryRun}${replace ? '&replace=true' : ''}`;
      return api.send({ method: 'PUT', path: `${pathOf(place)}${query}`, body }, changedHold);
    },
    patch: (place, body, options) =>
      api.send({ method: 'PATCH', path: `${pathOf(place)}${dryRunQuery(options)}`, body }, changedHold),
    remove: async (place, options) => {
      await api.send({ method: 'DELETE', path: `${pathOf(place)}${dryRunQuery(options)}` }, z.undefined());
    },
  };
}
