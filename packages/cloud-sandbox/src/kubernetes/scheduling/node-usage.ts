import type { Node, Pod } from 'kubernetes-types/core/v1.d.ts';
import type { Stored } from '../store/object.ts';
import type { Store } from '../store/store.ts';
import { allocatableOf, type Resources, requestsOf } from './fit.ts';

/** How much of each node is taken, kept up with every change of a pod. */
export interface NodeUsage {
  fits(node: Stored<Node>, wanted: Resources): boolean;
  /** 0 (empty) and up: the larger of the shares of CPU and pods that are taken. */
  load(node: Stored<Node>): number;
}

interface Taken {
  milliCpu: number;
  memoryBytes: number;
  pods: number;
}

export function trackNodeUsage(store: Store): NodeUsage {
  const taken = new Map<string, Taken>();
  const add = (pod: Stored<Pod> | undefined, sign: 1 | -1): void => {
    const nodeName = pod?.spec?.nodeName;
    if (pod === undefined || nodeName === undefined || isFinished(pod)) return;
    const usage = taken.get(nodeName) ?? { milliCpu: 0, memoryBytes: 0, pods: 0 };
    const { milliCpu, memoryBytes } = requestsOf(pod);
    usage.milliCpu += sign * milliCpu;
    usage.memoryBytes += sign * memoryBytes;
    usage.pods += sign;
    taken.set(nodeName, usage);
  };
  store.of('pods').subscribe(({ type, object, previous }) => {
    if (previous !== undefined && type === 'MODIFIED' && sameUse(previous, object)) return;
    add(previous, -1);
    if (type !== 'DELETED') add(object, 1);
  });
  const of = (node: Stored<Node>): Resources =>
    taken.get(node.metadata.name) ?? { milliCpu: 0, memoryBytes: 0, pods: 0 };
  return {
    fits: (node, wanted) => {
      const allocatable = allocatableOf(node);
      const used = of(node);
      return (
        used.pods + 1 <= allocatable.pods &&
        used.milliCpu + wanted.milliCpu <= allocatable.milliCpu &&
        used.memoryBytes + wanted.memoryBytes <= allocatable.memoryBytes
      );
    },
    load: (node) => {
      const allocatable = allocatableOf(node);
      const used = of(node);
      return Math.max(used.milliCpu / allocatable.milliCpu || 0, used.pods / allocatable.pods || 0);
    },
  };
}

function isFinished({ status }: Stored<Pod>): boolean {
  return status?.phase === 'Succeeded' || status?.phase === 'Failed';
}

function sameUse(previous: Stored<Pod>, next: Stored<Pod>): boolean {
  return previous.spec === next.spec && isFinished(previous) === isFinished(next);
}
