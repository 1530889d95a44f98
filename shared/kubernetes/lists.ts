import * as z from 'zod/mini';
import { lazily } from '../base/lazily.ts';
import { type Api, type ApiRequest, nameOf } from './api.ts';
import { isExpired, KubernetesError } from './kubernetes-error.ts';
import { readObject } from './objects.ts';

export interface ListRequest<T> {
  readonly path: string;
  readonly query?: Readonly<Record<string, string>>;
  readonly accept?: string;
  /** What an item must be. */
  readonly schema: () => z.ZodMiniType<T>;
}

const pageSize = 500;
/** A continue token lasts some minutes; a list that outlives it again and again is not going to end. */
const attempts = 3;

const listSchema = lazily(() =>
  z.object({
    metadata: z.optional(z.object({ continue: z.optional(z.string()) })),
    items: z.nullable(z.array(z.unknown())),
  }),
);

/** Every page of a list, read anew from the start when the API server has forgotten where it was. */
export async function listAll<T>(api: Api, request: ListRequest<T>): Promise<readonly T[]> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await readPages(api, request);
    } catch (error) {
      if (!isExpired(error) || attempt === attempts) throw error;
    }
  }
}

async function readPages<T>(api: Api, request: ListRequest<T>): Promise<readonly T[]> {
  const items: T[] = [];
  let next = '';
  do {
    const query = { limit: String(pageSize), ...(next && { continue: next }) };
    const page = await readPage(api, request, query);
    items.push(...page.items);
    next = page.next;
  } while (next);
  return items;
}

/** One list from the watch cache, which knows no pages. */
export async function listCached<T>(api: Api, request: ListRequest<T>): Promise<readonly T[]> {
  return (await readPage(api, request, { resourceVersion: '0' })).items;
}

/**
 * One list of what is now. Since Kubernetes 1.31 the watch cache answers it, once it is up to date and where no page is asked
 * for (KEP-2340); before, etcd does.
 */
export async function listNow<T>(api: Api, request: ListRequest<T>): Promise<readonly T[]> {
  return (await readPage(api, request, {})).items;
}

async function readPage<T>(
  api: Api,
  { schema, ...request }: ListRequest<T>,
  query: Readonly<Record<string, string>>,
): Promise<{ readonly items: readonly T[]; readonly next: string }> {
  const get: ApiRequest = { ...request, method: 'GET', query: { ...request.query, ...query } };
  const result = z.safeParse(listSchema(), await api.call(get));
  if (!result.success) throw new KubernetesError('unexpected', `${nameOf(get)} answered no list`);
  const items = (result.data.items ?? []).map((value) => readObject(schema, value, nameOf(get)));
  return { items, next: result.data.metadata?.continue ?? '' };
}
