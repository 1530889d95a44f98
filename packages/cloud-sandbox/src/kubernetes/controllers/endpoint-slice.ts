import type { Pod, Service } from 'kubernetes-types/core/v1.d.ts';
import type { EndpointSlice } from 'kubernetes-types/discovery/v1.d.ts';
import { isReady } from '../eviction/eviction.ts';
import type { Registry } from '../registry/registry.ts';
import { matchesSelector } from '../selectors/label-selector.ts';
import { keyOf, type Stored } from '../store/object.ts';
import { ownerReference } from './pods.ts';
import { createWorkQueue, splitKey } from './work-queue.ts';

/** Gives Services one EndpointSlice each with the pods that they select. Load balancers are left out. */
export function startEndpointSliceController(registry: Registry): void {
  const { store, clock } = registry;
  const services = store.of('services');
  const queue = createWorkQueue(clock, (key) => {
    const service = services.get(...splitKey(key));
    if (service === undefined) return;
    if (service.spec?.selector !== undefined) write(registry, service);
  });
  services.index('namespace', ({ metadata }) => [metadata.namespace ?? '']);
  services.subscribe(({ type, object }) => {
    if (type !== 'DELETED') queue.add(keyOf(object));
  });
  store.of('pods').subscribe(({ object }) => {
    for (const service of services.find('namespace', object.metadata.namespace ?? ''))
      if (selects(service, object)) queue.add(keyOf(service));
  });
}

/** A Service without a selector, or with an empty one, has no pods of its own. */
function selects({ spec }: Stored<Service>, { metadata }: Stored<Pod>): boolean {
  const matchLabels = spec?.selector ?? {};
  return Object.keys(matchLabels).length > 0 && matchesSelector({ matchLabels }, metadata.labels);
}

function write(registry: Registry, service: Stored<Service>): void {
  const namespace = service.metadata.namespace ?? '';
  const pods = registry.store.of('pods').find('namespace', namespace);
  const endpoints = pods
    .filter((pod) => selects(service, pod) && pod.status?.podIP !== undefined)
    .map((pod) => ({
      addresses: [pod.status?.podIP ?? ''],
      conditions: {
        ready: isReady(pod) && pod.metadata.deletionTimestamp === undefined,
        serving: isReady(pod),
        terminating: pod.metadata.deletionTimestamp !== undefined,
      },
      nodeName: pod.spec?.nodeName ?? '',
      targetRef: { kind: 'Pod', namespace, name: pod.metadata.name, uid: pod.metadata.uid },
    }));
  const [first] = pods.filter((pod) => selects(service, pod));
  const ports = portsOf(service, first);
  const name = `${service.metadata.name}-slice`;
  const existing = registry.store.of('endpointslices.discovery.k8s.io').get(namespace, name);
  if (existing !== undefined) {
    registry.update('endpointslices.discovery.k8s.io', existing, (found) => ({ ...found, endpoints, ports }));
    return;
  }
  registry.create('endpointslices.discovery.k8s.io', {
    metadata: {
      name,
      namespace,
      labels: { 'kubernetes.io/service-name': service.metadata.name },
      ownerReferences: [ownerReference('v1', 'Service', service)],
    },
    addressType: 'IPv4',
    endpoints,
    ports,
  });
}

/** The ports of the pods. A name is looked up in the containers of one of them, because all have the same. */
function portsOf({ spec }: Stored<Service>, pod: Pod | undefined): EndpointSlice['ports'] {
  const known = pod?.spec?.containers.flatMap(({ ports = [] }) => ports) ?? [];
  return (spec?.ports ?? []).map(({ name = '', port, targetPort = port, protocol = 'TCP' }) => {
    const found =
      typeof targetPort === 'number'
        ? targetPort
        : known.find((candidate) => candidate.name === targetPort)?.containerPort;
    return { name, protocol, ...(found !== undefined && { port: found }) };
  });
}
