import type { DaemonSet, Deployment, ReplicaSet } from 'kubernetes-types/apps/v1.d.ts';
import type { Node, PersistentVolume, PersistentVolumeClaim, Pod } from 'kubernetes-types/core/v1.d.ts';
import type { ObjectMeta } from 'kubernetes-types/meta/v1.d.ts';
import type { PodDisruptionBudget } from 'kubernetes-types/policy/v1.d.ts';
import type { ClusterRole, ClusterRoleBinding } from 'kubernetes-types/rbac/v1.d.ts';
import type { CSINode, StorageClass, VolumeAttachment } from 'kubernetes-types/storage/v1.d.ts';
import * as z from 'zod/mini';
import { lazily } from '../base/lazily.ts';
import { parseJson } from '../base/parse-json.ts';
import { LongAnswerError } from '../net/http.ts';
import { type Api, type ApiRequest, isSuccess, nameOf } from './api.ts';
import { errorOf, isExpired, KubernetesError } from './status.ts';

export interface ListRequest<T> {
  readonly path: string;
  readonly query?: Readonly<Record<string, string>>;
  readonly accept?: string;
  /** Defaults to the limit for a page, or for a list without pages. */
  readonly longestAnswerBytes?: number;
  /** The schema of an item. */
  readonly schema: () => z.ZodMiniType<T>;
}

const pageSize = 500;
/** etcd takes objects of 1.5 MiB: so many of them always fit into the answer. */
const smallPageSize = 40;
/** Kubernetes supports 150,000 pods in a cluster. A server that always promises another page is given up. */
const mostPages = 400;
/** Of a page, and of a list without pages: all Nodes of a very large cluster have about 100 MB. */
const longestPageBytes = 64 * 1024 * 1024;
const longestListBytes = 128 * 1024 * 1024;
/** A continue token lasts some minutes. A list that expires this many times is given up. */
const attempts = 3;

const listSchema = lazily(() =>
  z.object({
    metadata: z.optional(z.object({ continue: z.optional(z.string()) })),
    items: z.nullable(z.array(z.unknown())),
  }),
);

/** Reads every page of a list, smaller ones where an answer is too long, and starts again if the continue token has expired. */
export const listAll = <T>(api: Api, request: ListRequest<T>): Promise<readonly T[]> =>
  listReduced(api, request, (item) => item);

/** As `listAll`, but keeps of each item only what `reduce` makes of it, and nothing if that is undefined. */
export async function listReduced<T, Kept>(
  api: Api,
  request: ListRequest<T>,
  reduce: (item: T) => Kept | undefined,
): Promise<readonly Kept[]> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await readPages(api, request, reduce);
    } catch (error) {
      if (!isExpired(error) || attempt === attempts) throw error;
    }
  }
}

async function readPages<T, Kept>(
  api: Api,
  request: ListRequest<T>,
  reduce: (item: T) => Kept | undefined,
): Promise<readonly Kept[]> {
  const kept: Kept[] = [];
  let next = '';
  let limit = pageSize;
  const readNext = () =>
    readPage(
      api,
      { longestAnswerBytes: longestPageBytes, ...request },
      { limit: String(limit), ...(next && { continue: next }) },
    );
  for (let count = 0; count < mostPages; count += 1) {
    const page = await readNext().catch((error: unknown) => {
      if (!isLongAnswer(error) || limit === smallPageSize) throw error;
      limit = smallPageSize;
      return readNext();
    });
    kept.push(...page.items.map(reduce).filter((item) => item !== undefined));
    next = page.next;
    if (!next) return kept;
  }
  throw new KubernetesError('unexpected', `GET ${request.path} has more than ${mostPages} pages`);
}

const isLongAnswer = (error: unknown): boolean =>
  error instanceof KubernetesError && error.cause instanceof LongAnswerError;

/** Reads a list from the watch cache, which has no pages. */
export async function listCached<T>(api: Api, request: ListRequest<T>): Promise<readonly T[]> {
  return (await readPage(api, request, { resourceVersion: '0' })).items;
}

/**
 * Reads a consistent list. Since Kubernetes 1.31 the watch cache answers it once it is up to date, if no page is requested
 * (KEP-2340); before, etcd does.
 */
export async function listNow<T>(api: Api, request: ListRequest<T>): Promise<readonly T[]> {
  return (await readPage(api, request, {})).items;
}

async function readPage<T>(
  api: Api,
  { schema, longestAnswerBytes = longestListBytes, ...request }: ListRequest<T>,
  query: Readonly<Record<string, string>>,
): Promise<{ readonly items: readonly T[]; readonly next: string }> {
  const get: ApiRequest = {
    ...request,
    method: 'GET',
    longestAnswerBytes,
    query: { ...request.query, ...query },
  };
  const result = z.safeParse(listSchema(), await api.call(get));
  if (!result.success)
    throw new KubernetesError('unexpected', `${nameOf(get)} answered something that is not a list`);
  const items = (result.data.items ?? []).map((value) => readObject(schema, value, nameOf(get)));
  return { items, next: result.data.metadata?.continue ?? '' };
}

const namedSchema = lazily(() => z.looseObject({ metadata: z.looseObject({ name: z.string() }) }));

/** A schema that checks only that the value is an object with a name. The rest is trusted to match the API's published type. */
const named = <T>() => lazily(() => z.custom<T>((value) => z.safeParse(namedSchema(), value).success));

export const nodeSchema = named<Node>();
export const podSchema = named<Pod>();
export const budgetSchema = named<PodDisruptionBudget>();
export const volumeAttachmentSchema = named<VolumeAttachment>();
export const deploymentSchema = named<Deployment>();
export const replicaSetSchema = named<ReplicaSet>();
export const clusterRoleSchema = named<ClusterRole>();
export const clusterRoleBindingSchema = named<ClusterRoleBinding>();
export const daemonSetSchema = named<DaemonSet>();
export const volumeSchema = named<PersistentVolume>();
export const storageClassSchema = named<StorageClass>();
export const csiNodeSchema = named<CSINode>();
export const claimSchema = named<PersistentVolumeClaim>();
export const metadataSchema = named<{ readonly metadata?: ObjectMeta }>();

/**
 * Gets one object; undefined if there is none of that name.
 *
 * @throws KubernetesError for any other answer.
 */
export async function getObject<T>(
  api: Api,
  path: string,
  schema: () => z.ZodMiniType<T>,
): Promise<T | undefined> {
  const request = { method: 'GET', path } as const;
  const response = await api.exchange(request);
  if (response.status === 404) return undefined;
  if (!isSuccess(response)) throw errorOf(nameOf(request), response);
  return readObject(schema, parseJson(response.body), nameOf(request));
}

/**
 * Reads one object; `what` names the request.
 *
 * @throws KubernetesError if it is not an object with a name.
 */
export function readObject<T>(schema: () => z.ZodMiniType<T>, value: unknown, what: string): T {
  const result = z.safeParse(schema(), value);
  if (!result.success)
    throw new KubernetesError('unexpected', `${what} answered something that is not a Kubernetes object`);
  return result.data;
}
