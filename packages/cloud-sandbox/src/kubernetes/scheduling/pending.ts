import type { Pod } from 'kubernetes-types/core/v1.d.ts';
import { keyOf, type Stored } from '../store/object.ts';

/** Pods that fitted nowhere, by what they ask for: where one of a shape found no place, the next need not look. */
export interface Pending {
  readonly size: number;
  isHopeless(pod: Stored<Pod>): boolean;
  /** False when the pod waited already. */
  add(pod: Stored<Pod>): boolean;
  remove(pod: Stored<Pod>): void;
  /** All keys that wait; what was hopeless may be tried again. */
  takeAll(): readonly string[];
}

export function createPending(): Pending {
  const shapes = new Map<string, Set<string>>();
  const told = new Set<string>();
  let hopeless = new Set<string>();
  return {
    get size() {
      return [...shapes.values()].reduce((sum, keys) => sum + keys.size, 0);
    },
    isHopeless: (pod) => hopeless.has(shapeOf(pod)),
    add: (pod) => {
      const shape = shapeOf(pod);
      const keys = shapes.get(shape) ?? new Set<string>();
      keys.add(keyOf(pod));
      shapes.set(shape, keys);
      hopeless.add(shape);
      const isNew = !told.has(pod.metadata.uid);
      told.add(pod.metadata.uid);
      return isNew;
    },
    remove: (pod) => {
      told.delete(pod.metadata.uid);
      shapes.get(shapeOf(pod))?.delete(keyOf(pod));
    },
    takeAll: () => {
      const keys = [...shapes.values()].flatMap((entry) => [...entry]);
      shapes.clear();
      hopeless = new Set();
      return keys;
    },
  };
}

function shapeOf({ spec }: Stored<Pod>): string {
  const requests = (spec?.containers ?? []).map(({ resources }) => resources?.requests);
  return JSON.stringify([requests, spec?.nodeSelector, spec?.affinity, spec?.tolerations]);
}
