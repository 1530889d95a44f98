import type { Pod } from 'kubernetes-types/core/v1.d.ts';
import type { Stored } from '../store/object.ts';
import type { Store } from '../store/store.ts';

/** What a kubelet hears of the pods that are bound to its node. */
export interface PodListener {
  changed(pod: Stored<Pod>): void;
  deleted(pod: Stored<Pod>): void;
}

/** Passes each pod's changes only to the kubelet of its node. */
export interface PodDispatcher {
  connect(nodeName: string, listener: PodListener): void;
  disconnect(nodeName: string): void;
}

export function createPodDispatcher(store: Store): PodDispatcher {
  const listeners = new Map<string, PodListener>();
  store.of('pods').subscribe(({ type, object }) => {
    const listener = listeners.get(object.spec?.nodeName ?? '');
    if (type === 'DELETED') listener?.deleted(object);
    else listener?.changed(object);
  });
  return {
    connect: (nodeName, listener) => void listeners.set(nodeName, listener),
    disconnect: (nodeName) => void listeners.delete(nodeName),
  };
}
