import type { ClusterAdmin } from '@drover/cloud-sandbox/real/kubernetes/admin.ts';

export interface AdminRequest {
  readonly path: string;
  /** With it the request is a POST. */
  readonly body?: object;
}

/** @throws Error with the response of the API server if it refuses */
export async function request<Answer>(
  { sendHttp, server, token }: ClusterAdmin,
  { path, body }: AdminRequest,
): Promise<Answer> {
  const answer = await sendHttp({
    method: body === undefined ? 'GET' : 'POST',
    url: `${server}${path}`,
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    timeoutMilliseconds: 60_000,
    ...(body && { body: JSON.stringify(body) }),
  });
  if (answer.status >= 300) throw new Error(`${path}: ${answer.status} ${answer.body}`);
  return JSON.parse(answer.body) as Answer;
}

/** All of them, so many at a time. */
export async function inParallel<Item>(
  items: readonly Item[],
  atOnce: number,
  work: (item: Item) => Promise<unknown>,
): Promise<void> {
  const rest = [...items];
  const worker = async (): Promise<void> => {
    for (let item = rest.shift(); item !== undefined; item = rest.shift()) await work(item);
  };
  await Promise.all(Array.from({ length: atOnce }, worker));
}
