import * as z from 'zod/mini';
import { lazily } from '../base/lazily.ts';
import { parseJson } from '../base/parse-json.ts';
import { type Api, type ApiRequest, isSuccess, nameOf } from './api.ts';
import { errorOf, isNotFound } from './status.ts';

/** A resource that older servers do not have, such as those of Kubernetes 1.11. */
export interface LaterResource {
  /** Empty for the core group. */
  readonly group: string;
  /** A subresource as discovery writes it, `serviceaccounts/token`. */
  readonly plural: string;
  /** The release of Kubernetes that has it in v1. */
  readonly since: string;
}

export const selfSubjectReviews = {
  group: 'authentication.k8s.io',
  plural: 'selfsubjectreviews',
  since: '1.28',
} as const satisfies LaterResource;

export const tokenRequests = {
  group: '',
  plural: 'serviceaccounts/token',
  since: '1.12',
} as const satisfies LaterResource;

/** In v1, certificate requests have signers, and a PATCH of their approval. Kubernetes 1.11 of OpenShift 3.11 has neither. */
export const signedRequests = {
  group: 'certificates.k8s.io',
  plural: 'certificatesigningrequests',
  since: '1.19',
} as const satisfies LaterResource;

/** What a server that lacks it is said to lack. Pure. */
export const lacking = ({ group, plural, since }: LaterResource): string =>
  `the API server does not serve ${plural}${group && `.${group}`}, which Kubernetes has since ${since}`;

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

/**
 * Whether discovery names the resource in v1.
 *
 * @throws KubernetesError if the document cannot be read.
 */
export async function isServed(api: Api, { group, plural }: Omit<LaterResource, 'since'>): Promise<boolean> {
  const resources = await resourcesAt(api, group === '' ? '/api/v1' : `/apis/${group}/v1`);
  return resources.some(({ name }) => name === plural);
}

/**
 * The answer to a request about a resource that an older server lacks; undefined from such a server. It asks for the discovery document only
 * once the request is not found.
 *
 * @throws KubernetesError for any other failure, also if only the object is not found.
 */
export async function callIfServed(api: Api, request: ApiRequest, resource: LaterResource): Promise<unknown> {
  try {
    return await api.call(request);
  } catch (error) {
    if (!isNotFound(error) || (await isServed(api, resource))) throw error;
    return undefined;
  }
}
