import type { DaemonSet } from 'kubernetes-types/apps/v1.d.ts';
import type { Node, Pod, Toleration } from 'kubernetes-types/core/v1.d.ts';
import { isReady } from '../eviction/eviction.ts';
import type { Registry } from '../registry/registry.ts';
import { selectsNode, toleratesTaints } from '../scheduling/fit.ts';
import { controllerOf, keyOf, type Stored } from '../store/object.ts';
import { revisionLabels, rollPods, updatedPods } from './daemon-set-rollout.ts';
import { ownerReference, podFrom } from './pods.ts';
import { isTerminating } from './replica-set.ts';
import { createWorkQueue, splitKey } from './work-queue.ts';

/** What the DaemonSet controller lets its pods bear, so that they stay on cordoned and ailing nodes. */
const daemonTolerations: readonly Toleration[] = [
  { key: 'node.kubernetes.io/not-ready', operator: 'Exists', effect: 'NoExecute' },
  { key: 'node.kubernetes.io/unreachable', operator: 'Exists', effect: 'NoExecute' },
  { key: 'node.kubernetes.io/disk-pressure', operator: 'Exists', effect: 'NoSchedule' },
  { key: 'node.kubernetes.io/memory-pressure', operator: 'Exists', effect: 'NoSchedule' },
  { key: 'node.kubernetes.io/pid-pressure', operator: 'Exists', effect: 'NoSchedule' },
  { key: 'node.kubernetes.io/unschedulable', operator: 'Exists', effect: 'NoSchedule' },
];

/** Keeps one pod of each DaemonSet on every node that it selects and whose taints it bears. Of rolling updates surge is left out. */
export function startDaemonSetController(registry: Registry): void {
  const { store, clock } = registry;
  const sets = store.of('daemonsets.apps');
  const nodes = store.of('nodes');
  const queue = createWorkQueue(clock, (key) => {
    const [name, setKey = ''] = key.split('|');
    const set = sets.get(...splitKey(setKey));
    if (set === undefined || set.metadata.deletionTimestamp !== undefined) return;
    if (name === undefined || name === '') onSet(registry, set);
    else onNode(registry, set, name);
  });
  sets.subscribe(({ object, previous }) => {
    if (previous?.metadata.generation === object.metadata.generation) return;
    for (const node of nodes.list()) queue.add(`${node.metadata.name}|${keyOf(object)}`);
    queue.add(`|${keyOf(object)}`);
  });
  nodes.subscribe(({ object, previous, type }) => {
    if (
      type === 'MODIFIED' &&
      previous?.spec === object.spec &&
      previous?.metadata.labels === object.metadata.labels
    )
      return;
    for (const set of sets.list()) {
      queue.add(`${object.metadata.name}|${keyOf(set)}`);
      queue.add(`|${keyOf(set)}`);
    }
  });
  store.of('pods').index('daemon', (pod) => {
    const owner = controllerOf(pod);
    return owner?.kind === 'DaemonSet' ? [`${owner.uid}/${targetOf(pod)}`] : [];
  });
  store.of('pods').subscribe(({ object }) => {
    const owner = controllerOf(object);
    if (owner?.kind !== 'DaemonSet') return;
    const set = `${object.metadata.namespace ?? ''}/${owner.name}`;
    queue.add(`${targetOf(object)}|${set}`);
    queue.add(`|${set}`);
  });
}

/** The node that a daemon pod was made for: its required affinity, from before it is bound. */
function targetOf({ spec }: Pod): string {
  const [term] =
    spec?.affinity?.nodeAffinity?.requiredDuringSchedulingIgnoredDuringExecution?.nodeSelectorTerms ?? [];
  return spec?.nodeName ?? term?.matchFields?.[0]?.values?.[0] ?? '';
}

function onNode(registry: Registry, set: Stored<DaemonSet>, nodeName: string): void {
  const here = registry.store.of('pods').find('daemon', `${set.metadata.uid}/${nodeName}`);
  const node = registry.store.of('nodes').get(undefined, nodeName);
  const wanted = node !== undefined && belongs(set, node);
  if (wanted && here.length === 0) createPod(registry, set, nodeName);
  for (const pod of here) {
    const finished = pod.status?.phase === 'Failed' || pod.status?.phase === 'Succeeded';
    if ((!wanted || finished) && pod.metadata.deletionTimestamp === undefined) registry.delete('pods', pod);
  }
}

function belongs(set: Stored<DaemonSet>, node: Stored<Node>): boolean {
  const spec = set.spec?.template.spec;
  if (spec === undefined || !selectsNode(spec, node)) return false;
  return toleratesTaints([...(spec.tolerations ?? []), ...daemonTolerations], node);
}

function createPod(registry: Registry, set: Stored<DaemonSet>, nodeName: string): void {
  const { template } = set.spec ?? {};
  const namespace = set.metadata.namespace ?? 'default';
  if (template?.spec === undefined || isTerminating(registry, namespace)) return;
  const name = { generateName: `${set.metadata.name}-`, namespace };
  const labels = { ...template.metadata?.labels, ...revisionLabels(set) };
  const marked = { ...template, metadata: { ...template.metadata, labels } };
  const pod = podFrom(marked, name, ownerReference('apps/v1', 'DaemonSet', set));
  const term = { matchFields: [{ key: 'metadata.name', operator: 'In', values: [nodeName] }] };
  const affinity = {
    nodeAffinity: { requiredDuringSchedulingIgnoredDuringExecution: { nodeSelectorTerms: [term] } },
  };
  const tolerations = [...(template.spec.tolerations ?? []), ...daemonTolerations];
  registry.create('pods', { ...pod, spec: { ...template.spec, affinity, tolerations } });
}

function onSet(registry: Registry, set: Stored<DaemonSet>): void {
  const nodes = registry.store.of('nodes').list();
  const desired = nodes.filter((node) => belongs(set, node)).length;
  rollPods(registry, set, desired);
  writeStatus(registry, set, desired);
}

function writeStatus(registry: Registry, set: Stored<DaemonSet>, desired: number): void {
  const pods = registry.store.of('pods').find('owner', set.metadata.uid);
  const ready = pods.filter((pod) => isReady(pod) && pod.metadata.deletionTimestamp === undefined).length;
  const status = {
    currentNumberScheduled: Math.min(desired, pods.length),
    desiredNumberScheduled: desired,
    numberMisscheduled: 0,
    numberReady: ready,
    numberAvailable: ready,
    numberUnavailable: Math.max(0, desired - ready),
    updatedNumberScheduled: Math.min(desired, updatedPods(set, pods).length),
    observedGeneration: set.metadata.generation ?? 1,
  };
  registry.updateStatus('daemonsets.apps', set, (current) => ({ ...current, status }));
}
