import type { ClusterApi } from '../../../packages/cloud-sandbox/test/contract/kubernetes/eviction/cluster-api.ts';
import { matchesLabels } from '../../../shared/draining/label-selector.ts';
import { LabelSelectorError, parseLabelSelector } from '../../../shared/draining/parse-label-selector.ts';

/** The objects that a selector chooses, by their numbers; or that it cannot be read. */
export type Choice = readonly number[] | 'unreadable';

export type Labels = Readonly<Record<string, string>>;

/** Of objects with these labels, as Drover chooses among pods. */
export function chosenByDrover(text: string, objects: readonly Labels[]): Choice {
  try {
    const requirements = parseLabelSelector(text);
    return [...objects.keys()].filter((index) => matchesLabels(objects[index], requirements));
  } catch (error) {
    if (error instanceof LabelSelectorError) return 'unreadable';
    throw error;
  }
}

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
