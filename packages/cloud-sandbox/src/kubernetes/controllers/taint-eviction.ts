import type { Node, Pod, Taint } from 'kubernetes-types/core/v1.d.ts';
import type { Timer } from '../../simulation/clock.ts';
import type { Registry } from '../registry/registry.ts';
import { tolerates } from '../scheduling/fit.ts';
import { keyOf, type Stored } from '../store/object.ts';

/** Deletes the pods of a node that do not bear its NoExecute taints, each once the time that it bears them is over. */
export function startTaintEviction(registry: Registry): void {
  const { store, clock } = registry;
  const timers = new Map<string, Timer>();
  const review = (node: Stored<Node>): void => {
    const taints = (node.spec?.taints ?? []).filter(({ effect }) => effect === 'NoExecute');
    for (const pod of store.of('pods').find('node', node.metadata.name)) {
      timers.get(keyOf(pod))?.cancel();
      timers.delete(keyOf(pod));
      const seconds = bearsForSeconds(pod, taints);
      if (seconds === undefined || pod.metadata.deletionTimestamp !== undefined) continue;
      timers.set(
        keyOf(pod),
        clock.after(seconds * 1000, () => registry.delete('pods', pod)),
      );
    }
  };
  store.of('nodes').subscribe(({ type, object, previous }) => {
    const before = JSON.stringify(previous?.spec?.taints ?? []);
    if (type !== 'DELETED' && before !== JSON.stringify(object.spec?.taints ?? [])) review(object);
  });
}

/** Undefined means for ever. */
function bearsForSeconds({ spec }: Stored<Pod>, taints: readonly Taint[]): number | undefined {
  const times = taints.map((taint) => {
    const bearing = (spec?.tolerations ?? []).filter((toleration) => tolerates(toleration, taint));
    if (bearing.length === 0) return 0;
    return Math.min(...bearing.map(({ tolerationSeconds }) => tolerationSeconds ?? Number.POSITIVE_INFINITY));
  });
  const shortest = Math.min(Number.POSITIVE_INFINITY, ...times);
  return Number.isFinite(shortest) ? shortest : undefined;
}
