import type { Node, NodeSpec, Taint } from 'kubernetes-types/core/v1.d.ts';
import type { Timer } from '../../simulation/clock.ts';
import { readyPod } from '../kubelet/pod-status.ts';
import type { Registry } from '../registry/registry.ts';
import { type Stored, timestamp } from '../store/object.ts';
import { recordEvent } from './events.ts';
import { startTaintEviction } from './taint-eviction.ts';

/** What the node lifecycle controller receives about heartbeats. */
export interface NodeMonitor {
  /** A simulated kubelet serves this node: no timer runs against it. */
  alive(nodeName: string): void;
  /** It has gone silent; `lastReportAt` in milliseconds since the epoch. */
  silent(nodeName: string, lastReportAt: number): void;
}

/** node-monitor-grace-period, whose default is this since Kubernetes 1.32, counted from the last report. */
const graceMilliseconds = 50_000;

/**
 * A node that has not reported for 50 s becomes Unknown: taints, and its pods are no longer Ready. A cordon is a taint too,
 * and goes with it. Nodes whose Lease or status is written through the API, by a kubelet that is not ours, are watched by
 * those writes.
 */
export function startNodeLifecycleController(registry: Registry): NodeMonitor {
  const { store, clock } = registry;
  const served = new Set<string>();
  const timers = new Map<string, Timer>();
  const watch = (nodeName: string, delayMilliseconds: number): void => {
    timers.get(nodeName)?.cancel();
    const timer = clock.after(Math.max(0, delayMilliseconds), () => markUnknown(registry, nodeName));
    timers.set(nodeName, timer);
  };
  const reported = (nodeName: string): void => {
    if (!served.has(nodeName)) watch(nodeName, graceMilliseconds);
  };
  store.of('leases.coordination.k8s.io').subscribe(({ object }) => {
    if (object.metadata.namespace === 'kube-node-lease') reported(object.metadata.name);
  });
  store.of('nodes').subscribe(({ type, object, previous }) => {
    const { name } = object.metadata;
    if (type === 'DELETED') {
      timers.get(name)?.cancel();
      return;
    }
    if (reportTime(object) !== reportTime(previous)) reported(name);
    const isNew = type === 'ADDED';
    const turned = isNew || readiness(object) !== readiness(previous);
    if (turned || isCordoned(object) !== isCordoned(previous))
      clock.after(0, () => setTaints(registry, name));
    if (turned && readiness(previous) === 'True') clock.after(0, () => followFall(registry, name));
  });
  startTaintEviction(registry);
  return {
    alive: (nodeName) => {
      served.add(nodeName);
      timers.get(nodeName)?.cancel();
    },
    silent: (nodeName, lastReportAt) => {
      served.delete(nodeName);
      watch(nodeName, lastReportAt + graceMilliseconds - clock.now());
    },
  };
}

function readyCondition(node: Stored<Node> | undefined) {
  return node?.status?.conditions?.find(({ type }) => type === 'Ready');
}

export function readiness(node: Stored<Node> | undefined): string {
  return readyCondition(node)?.status ?? 'Unknown';
}

function reportTime(node: Stored<Node> | undefined): string | undefined {
  return readyCondition(node)?.lastHeartbeatTime;
}

function markUnknown(registry: Registry, nodeName: string): void {
  const node = registry.store.of('nodes').get(undefined, nodeName);
  if (node === undefined || (readyCondition(node) !== undefined && readiness(node) === 'Unknown')) return;
  const now = timestamp(registry.clock.now());
  const unknown = {
    status: 'Unknown',
    reason: 'NodeStatusUnknown',
    message: 'Kubelet stopped posting node status.',
  };
  const conditions = (node.status?.conditions ?? [{ type: 'Ready', status: 'Unknown' }]).map((condition) => ({
    ...condition,
    ...unknown,
    lastTransitionTime: now,
  }));
  registry.updateStatus('nodes', node, (found) => ({ ...found, status: { ...found.status, conditions } }));
}

function isCordoned(node: Stored<Node> | undefined): boolean {
  return node?.spec?.unschedulable === true;
}

const taintKeys = {
  False: 'node.kubernetes.io/not-ready',
  Unknown: 'node.kubernetes.io/unreachable',
} as const;
const cordonTaint: Taint = { key: 'node.kubernetes.io/unschedulable', effect: 'NoSchedule' };

/** Taints say what the Ready condition and the cordon say; others' are kept. */
function setTaints(registry: Registry, nodeName: string): void {
  const node = registry.store.of('nodes').get(undefined, nodeName);
  if (node === undefined) return;
  const before = node.spec?.taints ?? [];
  const wanted = [...readinessTaints(node), ...(isCordoned(node) ? [cordonTaint] : [])];
  const after = [...before.filter((taint) => !isOurs(taint)), ...wanted];
  if (JSON.stringify(before) === JSON.stringify(after)) return;
  registry.update('nodes', node, (found) => ({ ...found, spec: withTaints(found.spec, after) }));
}

function readinessTaints(node: Stored<Node>): readonly Taint[] {
  const state = readiness(node);
  if (state === 'True') return [];
  const key = taintKeys[state === 'False' ? 'False' : 'Unknown'];
  return ['NoSchedule', 'NoExecute'].map((effect) => ({ key, effect }));
}

/** When a node is no longer Ready, its pods are not either. */
function followFall(registry: Registry, nodeName: string): void {
  const node = registry.store.of('nodes').get(undefined, nodeName);
  if (node === undefined || readiness(node) === 'True') return;
  const message = `Node ${nodeName} status is now: NodeNotReady`;
  recordEvent(registry, { regarding: node, reason: 'NodeNotReady', message, component: 'node-controller' });
  for (const pod of registry.store.of('pods').find('node', nodeName)) {
    if (pod.status?.phase === 'Running')
      registry.updateStatus('pods', pod, (found) => readyPod(found, false, registry.clock.now()));
  }
}

function isOurs({ key }: Taint): boolean {
  return key === taintKeys.False || key === taintKeys.Unknown || key === cordonTaint.key;
}

function withTaints(spec: NodeSpec | undefined, taints: readonly Taint[]): NodeSpec {
  const { taints: _, ...rest } = spec ?? {};
  return taints.length === 0 ? rest : { ...rest, taints: [...taints] };
}
