import * as z from 'zod/mini';
import { lazily } from '../base/lazily.ts';
import { parseJson } from '../base/parse-json.ts';
import { type Api, isSuccess, nameOf } from './api.ts';
import { errorOf, isNotFound } from './status.ts';

/** Drover uses v1. Of older servers, such as Kubernetes 1.11 of OpenShift 3.11, some resources are only in the version before. */
export type ServedVersion = 'v1' | 'v1beta1';

interface GroupResource {
  readonly group: string;
  readonly plural: string;
}

const resourcesSchema = lazily(() =>
  z.object({
    resources: z.array(z.object({ name: z.string(), version: z.optional(z.string()) })),
  }),
);

/**
 * The resources in a discovery document; none if the API server does not serve it.
 *
 * @throws KubernetesError for any other answer.
 */
async function resourcesAt(api: Api, path: string) {
  const request = { method: 'GET', path } as const;
  const response = await api.exchange(request);
  if (response.status !== 404 && !isSuccess(response)) throw errorOf(nameOf(request), response);
  return resourcesSchema().safeParse(parseJson(response.body)).data?.resources ?? [];
}

/**
 * Makes a call about a resource in the version in which the server has it. It asks for the discovery document only once v1 is not
 * found, so current servers cost no request more. The answer holds for the life of the client.
 *
 * @throws what the call throws.
 */
export function servedVersion(api: Api, { group, plural }: GroupResource) {
  let version: ServedVersion = 'v1';
  return async <T>(call: (version: ServedVersion) => Promise<T>): Promise<T> => {
    try {
      return await call(version);
    } catch (error) {
      if (version !== 'v1' || !isNotFound(error)) throw error;
      const before = await resourcesAt(api, `/apis/${group}/v1beta1`);
      if (!before.some(({ name }) => name === plural)) throw error;
      version = 'v1beta1';
      return await call(version);
    }
  };
}

/**
 * The version of policy that evictions have, as kubectl finds it: the resource `pods/eviction` of the core group names it. Undefined if the
 * server has no evictions in a version of Drover's.
 *
 * @throws KubernetesError if the document cannot be read.
 */
export async function evictionVersion(api: Api): Promise<ServedVersion | undefined> {
  const eviction = (await resourcesAt(api, '/api/v1')).find(({ name }) => name === 'pods/eviction');
  return (['v1', 'v1beta1'] as const).find((version) => version === eviction?.version);
}
