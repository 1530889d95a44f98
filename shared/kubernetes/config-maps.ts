import * as z from 'zod/mini';
import { lazily } from '../base/lazily.ts';
import { parseJson } from '../base/parse-json.ts';
import { type Api, isSuccess, nameOf, pathOf } from './api.ts';
import { errorOf, KubernetesError } from './status.ts';

const configMapSchema = lazily(() =>
  z.object({
    kind: z.literal('ConfigMap'),
    data: z.optional(z.nullable(z.record(z.string(), z.string()))),
  }),
);

/** Reads the data of one ConfigMap; undefined if there is none of that name. Rejects with a KubernetesError for every other answer. */
export const configMapData =
  (api: Api) =>
  async (namespace: string, name: string): Promise<Readonly<Record<string, string>> | undefined> => {
    const path = pathOf('api', 'v1', 'namespaces', namespace, 'configmaps', name);
    const request = { method: 'GET', path } as const;
    const response = await api.exchange(request);
    if (response.status === 404) return undefined;
    if (!isSuccess(response)) throw errorOf(nameOf(request), response);
    const parsed = configMapSchema().safeParse(parseJson(response.body));
    if (parsed.success) return parsed.data.data ?? {};
    throw new KubernetesError('unexpected', `${nameOf(request)} answered something that is not a ConfigMap`);
  };
