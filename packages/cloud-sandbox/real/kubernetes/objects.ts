import type { HttpRequest, HttpResponse } from '../../src/net/http.ts';
import type { ClusterAdmin } from './admin.ts';

/** A request of an administrator; a PATCH is a merge patch. */
export const requestOf = (
  { sendHttp, server, token }: ClusterAdmin,
  {
    method,
    path,
    body,
  }: { readonly method: HttpRequest['method']; readonly path: string; readonly body?: object },
): Promise<HttpResponse> =>
  sendHttp({
    method,
    url: `${server}${path}`,
    headers: {
      authorization: `Bearer ${token}`,
      'content-type': method === 'PATCH' ? 'application/merge-patch+json' : 'application/json',
    },
    timeoutMilliseconds: 30_000,
    ...(body && { body: JSON.stringify(body) }),
  });

export async function listItems<Item>(admin: ClusterAdmin, path: string): Promise<readonly Item[]> {
  const { status, body } = await requestOf(admin, { method: 'GET', path });
  if (status !== 200) throw new Error(`GET ${path}: ${status} ${body}`);
  return (JSON.parse(body) as { readonly items: readonly Item[] }).items;
}

/** One that is there already is left as it is. */
export async function createItem(admin: ClusterAdmin, path: string, item: object): Promise<void> {
  const { status, body } = await requestOf(admin, { method: 'POST', path, body: item });
  if (status !== 201 && status !== 409) throw new Error(`POST ${path}: ${status} ${body}`);
}

/** One that has gone meanwhile needs no patch. */
export async function patchItem(admin: ClusterAdmin, path: string, patch: object): Promise<void> {
  const { status, body } = await requestOf(admin, { method: 'PATCH', path, body: patch });
  if (status !== 200 && status !== 404) throw new Error(`PATCH ${path}: ${status} ${body}`);
}
