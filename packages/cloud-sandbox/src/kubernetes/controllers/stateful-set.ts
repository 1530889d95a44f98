import type { StatefulSet } from 'kubernetes-types/apps/v1.d.ts';
import type { Pod } from 'kubernetes-types/core/v1.d.ts';
import { isReady } from '../eviction/eviction.ts';
import type { Registry } from '../registry/registry.ts';
import type { Stored } from '../store/object.ts';
import { startOwnerController } from './owner-controller.ts';
import { ownerReference, podFrom } from './pods.ts';
import { isTerminating } from './replica-set.ts';

/**
 * Keeps pods `name-0` to `name-(N-1)`: a name is made again only once its old pod has gone, in order unless
 * podManagementPolicy is Parallel. A claim per volumeClaimTemplate and pod. Rolling updates of the template are left out:
 * a changed template is used for pods made from then on.
 */
export function startStatefulSetController(registry: Registry): void {
  startOwnerController(registry, {
    owners: 'statefulsets.apps',
    kind: 'StatefulSet',
    owned: 'pods',
    reconcile,
  });
}

function reconcile(registry: Registry, set: Stored<StatefulSet>): void {
  const namespace = set.metadata.namespace ?? 'default';
  const replicas = set.spec?.replicas ?? 1;
  const ordered = set.spec?.podManagementPolicy !== 'Parallel';
  const pods = registry.store.of('pods');
  for (let ordinal = 0; ordinal < replicas; ordinal += 1) {
    const pod = pods.get(namespace, `${set.metadata.name}-${ordinal}`);
    if (pod === undefined) createPod(registry, set, ordinal);
    else if (pod.status?.phase === 'Failed' || pod.status?.phase === 'Succeeded')
      registry.delete('pods', pod);
    if (ordered && (pod === undefined || !isReady(pod) || pod.metadata.deletionTimestamp !== undefined))
      break;
  }
  const owned = pods.find('owner', set.metadata.uid);
  const surplus = owned
    .filter((pod) => ordinalOf(pod) >= replicas)
    .toSorted((a, b) => ordinalOf(b) - ordinalOf(a));
  for (const pod of ordered ? surplus.slice(0, 1) : surplus) {
    if (pod.metadata.deletionTimestamp === undefined) registry.delete('pods', pod);
  }
  writeStatus(registry, set);
}

function ordinalOf({ metadata }: Stored<Pod>): number {
  return Number(/-(\d+)$/.exec(metadata.name)?.[1] ?? 0);
}

function createPod(registry: Registry, set: Stored<StatefulSet>, ordinal: number): void {
  const { template } = set.spec ?? {};
  const namespace = set.metadata.namespace ?? 'default';
  if (template === undefined || isTerminating(registry, namespace)) return;
  const name = `${set.metadata.name}-${ordinal}`;
  const pod = podFrom(template, { name, namespace }, ownerReference('apps/v1', 'StatefulSet', set));
  const labels = {
    ...pod.metadata?.labels,
    'statefulset.kubernetes.io/pod-name': name,
    'apps.kubernetes.io/pod-index': String(ordinal),
  };
  const claims = (set.spec?.volumeClaimTemplates ?? []).map(({ metadata, spec }) => {
    const claim = { name: `${metadata?.name ?? ''}-${name}`, namespace };
    if (registry.store.of('persistentvolumeclaims').get(namespace, claim.name) === undefined)
      registry.create('persistentvolumeclaims', { metadata: claim, ...(spec !== undefined && { spec }) });
    return { name: metadata?.name ?? '', persistentVolumeClaim: { claimName: claim.name } };
  });
  const volumes = [...(pod.spec?.volumes ?? []), ...claims];
  registry.create('pods', {
    metadata: { ...pod.metadata, labels },
    spec: {
      ...pod.spec,
      containers: pod.spec?.containers ?? [],
      ...(volumes.length > 0 && { volumes }),
      hostname: name,
    },
  });
}

function writeStatus(registry: Registry, set: Stored<StatefulSet>): void {
  const owned = registry.store.of('pods').find('owner', set.metadata.uid);
  const ready = owned.filter((pod) => isReady(pod) && pod.metadata.deletionTimestamp === undefined).length;
  const status = {
    observedGeneration: set.metadata.generation ?? 1,
    replicas: owned.length,
    currentReplicas: owned.length,
    updatedReplicas: owned.length,
    readyReplicas: ready,
    availableReplicas: ready,
    collisionCount: 0,
  };
  registry.updateStatus('statefulsets.apps', set, (current) => ({ ...current, status }));
}
