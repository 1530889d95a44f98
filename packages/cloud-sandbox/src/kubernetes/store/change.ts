import type { KubernetesObject, Stored } from './object.ts';

/** One write, as watchers and controllers receive it. `object` of a deletion is the last state, with the deletion's resourceVersion. */
export interface Change<T = KubernetesObject> {
  readonly type: 'ADDED' | 'MODIFIED' | 'DELETED';
  readonly object: Stored<T>;
  readonly previous?: Stored<T>;
  readonly revision: number;
}

/** The last changes of one collection, for a watch to start from; older ones are forgotten, as a watch cache forgets. */
export interface History<T> {
  record(change: Change<T>): void;
  /** Undefined when some change after `revision` has been forgotten: 410 Gone. */
  since(revision: number): readonly Change<T>[] | undefined;
}

export function createHistory<T>(capacity: number): History<T> {
  let changes: Change<T>[] = [];
  let forgottenRevision = 0;
  return {
    record: (change) => {
      changes.push(change);
      if (changes.length < capacity * 2) return;
      forgottenRevision = changes[capacity - 1]?.revision ?? forgottenRevision;
      changes = changes.slice(capacity);
    },
    since: (revision) =>
      revision < forgottenRevision ? undefined : changes.slice(firstAfter(changes, revision)),
  };
}

function firstAfter(changes: readonly { readonly revision: number }[], revision: number): number {
  let low = 0;
  let high = changes.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((changes[middle]?.revision ?? 0) > revision) high = middle;
    else low = middle + 1;
  }
  return low;
}
