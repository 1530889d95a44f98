import type { StoredMeta } from '../store/object.ts';

/** As Go writes metadata: a map or a list with nothing in it is left out, so that `annotations: {}` changes nothing. */
export function withoutEmpty(metadata: StoredMeta): StoredMeta {
  const { annotations, labels, finalizers, ownerReferences, managedFields, ...rest } = metadata;
  return {
    ...rest,
    ...(isFull(annotations) && { annotations }),
    ...(isFull(labels) && { labels }),
    ...(isFull(finalizers) && { finalizers }),
    ...(isFull(ownerReferences) && { ownerReferences }),
    ...(isFull(managedFields) && { managedFields }),
  };
}

const isFull = (value: object | undefined): boolean => Object.keys(value ?? {}).length > 0;
