import type { Node, Pod } from 'kubernetes-types/core/v1.d.ts';
import { withCondition } from '../controllers/conditions.ts';
import { recordEvent } from '../controllers/events.ts';
import { createWorkQueue, splitKey } from '../controllers/work-queue.ts';
import { bindPod } from '../registry/bind.ts';
import type { Registry } from '../registry/registry.ts';
import { keyOf, type Stored, timestamp } from '../store/object.ts';
import { createCandidates } from './candidates.ts';
import { requestsOf, selectsNode, toleratesTaints, unpreferredTaints } from './fit.ts';
import { type NodeUsage, trackNodeUsage } from './node-usage.ts';
import { createPending } from './pending.ts';

/**
 * Binds pods to nodes with room whose labels and taints suit them, the emptiest of some tens first. Pods that fit nowhere
 * wait by what they ask for, and are tried again when a node may have room for them. Preemption and pod affinity are left out.
 */
export function startScheduler(registry: Registry): void {
  const { store, clock } = registry;
  const pods = store.of('pods');
  const usage = trackNodeUsage(store);
  const candidates = createCandidates(store, registry.random);
  const pending = createPending();
  const schedule = (pod: Stored<Pod>): boolean => {
    const node = best(pod, candidates.of(pod), usage);
    if (node !== undefined) bind(registry, pod, node);
    return node !== undefined;
  };
  const queue = createWorkQueue(clock, (key) => {
    const pod = pods.get(...splitKey(key));
    if (pod === undefined || !waits(pod)) return;
    if (!pending.isHopeless(pod) && schedule(pod)) return;
    if (pending.add(pod)) markUnschedulable(registry, pod);
  });
  const retry = createWorkQueue(clock, () => {
    for (const key of pending.takeAll()) queue.add(key);
  });
  pods.subscribe(({ type, object, previous }) => {
    if (type === 'ADDED' && waits(object)) queue.add(keyOf(object));
    if (type === 'DELETED') pending.remove(object);
    if (type === 'DELETED' && previous?.spec?.nodeName !== undefined && pending.size > 0) {
      const node = store.of('nodes').get(undefined, previous.spec.nodeName);
      if (node !== undefined && toleratesTaints([], node)) retry.add('');
    }
  });
  store.of('nodes').subscribe(({ type, object, previous }) => {
    const changed = previous?.spec !== object.spec || previous?.metadata.labels !== object.metadata.labels;
    if (type !== 'DELETED' && changed && pending.size > 0) retry.add('');
  });
}

function waits({ spec, metadata, status }: Stored<Pod>): boolean {
  return (
    spec?.nodeName === undefined && metadata.deletionTimestamp === undefined && status?.phase === 'Pending'
  );
}

/**
 * Of a hundred suitable nodes, the one with the fewest taints PreferNoSchedule, and of these the one with the least load. kube-scheduler weighs
 * the taints three times as much as the load (TaintToleration 3, NodeResourcesFit 1 in default_plugins.go), and scores at least a hundred nodes
 * (minFeasibleNodesToFind in schedule_one.go). Twenty without such a taint are enough here: only their load differs.
 */
function best(pod: Stored<Pod>, nodes: Iterable<Stored<Node>>, usage: NodeUsage): Stored<Node> | undefined {
  const wanted = requestsOf(pod);
  const taintsOf = (node: Stored<Node>): number => unpreferredTaints(pod.spec?.tolerations ?? [], node);
  const suitable: Stored<Node>[] = [];
  let untainted = 0;
  for (const node of nodes) {
    if (pod.spec === undefined || !usage.fits(node, wanted) || !selectsNode(pod.spec, node)) continue;
    if (!toleratesTaints(pod.spec.tolerations ?? [], node)) continue;
    suitable.push(node);
    if (taintsOf(node) === 0) untainted += 1;
    if (untainted === 20 || suitable.length === 100) break;
  }
  const [first] = suitable.toSorted(
    (one, other) => taintsOf(one) - taintsOf(other) || usage.load(one) - usage.load(other),
  );
  return first;
}

function bind(registry: Registry, pod: Stored<Pod>, node: Stored<Node>): void {
  const nodeName = node.metadata.name;
  const found = registry.store.of('pods').get(pod.metadata.namespace, pod.metadata.name);
  if (found?.metadata.uid !== pod.metadata.uid) return;
  bindPod(registry, { pod: found, nodeName, dryRun: false });
  registry.updateStatus('pods', pod, creating);
  const name = `${pod.metadata.namespace ?? ''}/${pod.metadata.name}`;
  recordEvent(registry, {
    regarding: pod,
    reason: 'Scheduled',
    message: `Successfully assigned ${name} to ${nodeName}`,
    component: 'default-scheduler',
  });
}

/** Bound and not yet started: what people see as ContainerCreating. */
function creating(pod: Stored<Pod>): Stored<Pod> {
  const containerStatuses = (pod.spec?.containers ?? []).map(({ name, image = '' }) => ({
    name,
    image,
    imageID: '',
    ready: false,
    started: false,
    restartCount: 0,
    state: { waiting: { reason: 'ContainerCreating' } },
  }));
  return { ...pod, status: { ...pod.status, containerStatuses } };
}

function markUnschedulable(registry: Registry, pod: Stored<Pod>): void {
  const nodes = registry.store.of('nodes').size;
  const message = `0/${nodes} nodes are available: no node has room, suits the pod's selectors and has only taints that it tolerates.`;
  const condition = { type: 'PodScheduled', status: 'False', reason: 'Unschedulable', message };
  registry.updateStatus('pods', pod, (found) =>
    withCondition(found, condition, timestamp(registry.clock.now())),
  );
  recordEvent(registry, {
    regarding: pod,
    type: 'Warning',
    reason: 'FailedScheduling',
    message,
    component: 'default-scheduler',
  });
}
