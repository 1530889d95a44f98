import type { Pod } from 'kubernetes-types/core/v1.d.ts';
import type { OwnerReference } from 'kubernetes-types/meta/v1.d.ts';
import { apiVersionOf, type ResourceDefinition, resourceKey } from '../resources/definition.ts';
import { definitions } from '../resources/definitions.ts';
import { controllerOf, type KubernetesObject, type Stored } from '../store/object.ts';
import type { Store } from '../store/store.ts';

/** The desired replicas, or the reason why they are unknown. */
export type Replicas = number | { readonly problem: string };

/**
 * The sum of what the controllers of these pods ask for, each once (getExpectedScale of pkg/controller/disruption). Pods
 * without a controller are left out; one whose controller cannot be asked spoils it for all.
 */
export function replicasAskedFor(store: Store, pods: readonly Stored<Pod>[]): Replicas {
  const scales = new Map<string, number>();
  for (const pod of pods) {
    const owner = controllerOf(pod);
    if (owner === undefined || scales.has(owner.uid)) continue;
    const scale = scaleOf(store, pod, owner);
    if ('problem' in scale) return scale;
    scales.set(scale.uid, scale.replicas);
  }
  return [...scales.values()].reduce((sum, replicas) => sum + replicas, 0);
}

type Scale = { readonly uid: string; readonly replicas: number } | { readonly problem: string };

function scaleOf(store: Store, { metadata }: Stored<Pod>, owner: OwnerReference): Scale {
  const definition = definitions.find(
    (each) => each.kind === owner.kind && apiVersionOf(each) === owner.apiVersion,
  );
  if (definition === undefined)
    return { problem: `no matches for kind "${owner.kind}" in version "${owner.apiVersion}"` };
  if (!definition.subresources.includes('scale'))
    return { problem: `${resourceKey(definition)} does not implement the scale subresource` };
  const found = ownerIn(store, definition, { ...owner, namespace: metadata.namespace });
  if (found === undefined) return { problem: `found no controllers for pod "${metadata.name}"` };
  const counted = definition.kind === 'ReplicaSet' ? (deploymentOf(store, found) ?? found) : found;
  return { uid: counted.metadata.uid, replicas: replicasOf(counted) };
}

interface OwnerName {
  readonly namespace: string | undefined;
  readonly name: string;
  readonly uid: string;
}

/** What an owner reference means: an object of that name with another UID is not the owner. */
function ownerIn(
  store: Store,
  definition: ResourceDefinition,
  { namespace, name, uid }: OwnerName,
): Stored<KubernetesObject> | undefined {
  const found = store.find(resourceKey(definition))?.get(namespace, name);
  return found?.metadata.uid === uid ? found : undefined;
}

/** A ReplicaSet that a Deployment made counts as the Deployment does. */
function deploymentOf(store: Store, set: Stored<KubernetesObject>): Stored<KubernetesObject> | undefined {
  const parent = controllerOf(set);
  const deployment = definitions.find(({ kind }) => kind === 'Deployment');
  if (parent?.kind !== 'Deployment' || deployment === undefined) return undefined;
  return ownerIn(store, deployment, { ...parent, namespace: set.metadata.namespace });
}

function replicasOf({ spec }: Stored<KubernetesObject>): number {
  const replicas: unknown = Reflect.get(spec ?? {}, 'replicas');
  return typeof replicas === 'number' ? replicas : 1;
}
