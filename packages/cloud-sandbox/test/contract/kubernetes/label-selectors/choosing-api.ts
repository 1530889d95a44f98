import type { ClusterApi } from '../eviction/cluster-api.ts';

/** The objects that a selector chooses, by their numbers; or that it cannot be read. */
export type Choice = readonly number[] | 'unreadable';

export type Labels = Readonly<Record<string, string>>;

const path = '/api/v1/namespaces/chosen/configmaps';

/** Makes such objects at an API server, and gives a way to have it choose. */
export async function choosingApi(
  api: ClusterApi,
  objects: readonly Labels[],
): Promise<(text: string) => Promise<Choice>> {
  await api.write({ method: 'POST', path: '/api/v1/namespaces', body: { metadata: { name: 'chosen' } } });
  for (const [index, labels] of objects.entries())
    await api.write({ method: 'POST', path, body: { metadata: { name: `object-${index}`, labels } } });
  return async (text) => {
    const query = new URLSearchParams({ labelSelector: text });
    const { status, body } = await api.send({ method: 'GET', path: `${path}?${query.toString()}` });
    if (status === 400) return 'unreadable';
    const { items }: { readonly items: readonly Named[] } = JSON.parse(body);
    return items
      .map(({ metadata }) => Number(metadata.name.slice('object-'.length)))
      .toSorted((a, b) => a - b);
  };
}

interface Named {
  readonly metadata: { readonly name: string };
}
