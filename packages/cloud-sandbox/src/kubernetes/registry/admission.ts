import type { Node, Pod, Service } from 'kubernetes-types/core/v1.d.ts';
import { forbidden } from '../api/errors.ts';
import { type ResourceDefinition, resourceKey } from '../resources/definition.ts';
import type { KubernetesObject, Stored } from '../store/object.ts';
import type { Context } from './context.ts';

const systemPriorities: Readonly<Record<string, number>> = {
  'system-node-critical': 2_000_001_000,
  'system-cluster-critical': 2_000_000_000,
};

/** What is given to what is created: priorities to pods, the not-ready taint to a new node, an address to a Service. */
export function admit(
  context: Context,
  definition: ResourceDefinition,
  object: Stored<KubernetesObject>,
): Stored<KubernetesObject> {
  const key = resourceKey(definition);
  if (key === 'pods') return withPriority(context, definition, object as Stored<Pod>);
  if (key === 'nodes') return withNotReadyTaint(object as Stored<Node>);
  if (key === 'services') return withClusterAddress(context, object as Stored<Service>);
  return object;
}

function withPriority(context: Context, definition: ResourceDefinition, pod: Stored<Pod>): Stored<Pod> {
  const name = pod.spec?.priorityClassName ?? '';
  if (pod.spec === undefined) return pod;
  if (name === '') return { ...pod, spec: { ...pod.spec, priority: 0 } };
  const stored = context.store.find('priorityclasses.scheduling.k8s.io')?.get(undefined, name);
  const value: unknown = stored === undefined ? systemPriorities[name] : Reflect.get(stored, 'value');
  if (typeof value !== 'number')
    throw forbidden(definition, pod.metadata.name, `no PriorityClass with name ${name} was found`);
  return { ...pod, spec: { ...pod.spec, priority: value } };
}

/** As the TaintNodesByCondition plugin: no pod lands on a node before it has been Ready once. */
function withNotReadyTaint(node: Stored<Node>): Stored<Node> {
  const taints = node.spec?.taints ?? [];
  const key = 'node.kubernetes.io/not-ready';
  if (taints.some((taint) => taint.key === key && taint.effect === 'NoSchedule')) return node;
  return { ...node, spec: { ...node.spec, taints: [...taints, { key, effect: 'NoSchedule' }] } };
}

/** The first address of the cluster's network that no Service has. */
function withClusterAddress({ store }: Context, service: Stored<Service>): Stored<Service> {
  const { clusterIP = '', type } = service.spec ?? {};
  if (clusterIP !== '' || type === 'ExternalName') return service;
  const services = store.of('services').list();
  const taken = new Set(services.map(({ spec }) => spec?.clusterIP));
  const number = services.findIndex((_, place) => !taken.has(addressOf(place + 1)));
  const address = addressOf(number < 0 ? services.length + 1 : number + 1);
  return { ...service, spec: { ...service.spec, clusterIP: address, clusterIPs: [address] } };
}

const addressOf = (number: number): string => `10.96.${(number >>> 8) & 255}.${number & 255}`;
