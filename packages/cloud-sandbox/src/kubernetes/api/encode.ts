import { apiVersionOf, type ResourceDefinition } from '../resources/definition.ts';
import type { KubernetesObject, Stored } from '../store/object.ts';

const encoded = new WeakMap<object, string>();

/** An object as an item of a list: without kind and apiVersion, which the list says. Encoded once, for it never changes. */
export function encodeItem(object: Stored<KubernetesObject>): string {
  const known = encoded.get(object);
  if (known !== undefined) return known;
  const { kind: _, apiVersion: __, ...rest } = object;
  const text = JSON.stringify(rest);
  encoded.set(object, text);
  return text;
}

interface ListMeta {
  readonly resourceVersion: string;
  readonly continue?: string;
  readonly remainingItemCount?: number;
}

export function encodeList(
  definition: Pick<ResourceDefinition, 'kind' | 'group' | 'version'>,
  metadata: ListMeta,
  items: readonly string[],
): string {
  const head = { kind: `${definition.kind}List`, apiVersion: apiVersionOf(definition), metadata };
  return `${JSON.stringify(head).slice(0, -1)},"items":[${items.join(',')}]}`;
}
