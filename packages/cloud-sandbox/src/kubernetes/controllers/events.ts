import type { Registry } from '../registry/registry.ts';
import { type KubernetesObject, type Stored, timestamp } from '../store/object.ts';

interface Recorded {
  readonly regarding: Stored<KubernetesObject>;
  readonly reason: string;
  readonly message: string;
  readonly component: string;
  readonly host?: string;
  readonly type?: 'Normal' | 'Warning';
}

/** Real API servers forget Events after an hour. */
const lifetimeMilliseconds = 3_600_000;

/** Records a core/v1 Event as a controller or a kubelet does. Nothing is recorded in a namespace that is going. */
export function recordEvent(registry: Registry, event: Recorded): void {
  const { clock, random, store } = registry;
  const { metadata } = event.regarding;
  const namespace = metadata.namespace ?? 'default';
  const place = store.of('namespaces').get(undefined, namespace);
  if (place === undefined || place.metadata.deletionTimestamp !== undefined) return;
  const now = timestamp(clock.now());
  const { component, host, reason, message, type = 'Normal' } = event;
  const created = registry.create('events', {
    metadata: {
      name: `${metadata.name}.${random.integer(0, Number.MAX_SAFE_INTEGER).toString(16)}`,
      namespace,
    },
    involvedObject: reference(event.regarding),
    reason,
    message,
    type,
    source: { component, ...(host !== undefined && { host }) },
    reportingComponent: component,
    reportingInstance: host ?? '',
    firstTimestamp: now,
    lastTimestamp: now,
    count: 1,
  });
  clock.after(lifetimeMilliseconds, () => registry.delete('events', created));
}

/** kubectl looks for a node's events by the node's name instead of its UID, because kubelets write them so. */
function reference({ apiVersion, kind, metadata }: Stored<KubernetesObject>) {
  const uid = kind === 'Node' ? metadata.name : metadata.uid;
  return {
    ...(apiVersion !== undefined && { apiVersion }),
    ...(kind !== undefined && { kind }),
    name: metadata.name,
    ...(metadata.namespace !== undefined && { namespace: metadata.namespace }),
    uid,
    resourceVersion: metadata.resourceVersion,
  };
}
