import type { Pod } from 'kubernetes-types/core/v1.d.ts';
import type { Timer } from '../../simulation/clock.ts';
import { recordEvent } from '../controllers/events.ts';
import { splitKey } from '../controllers/work-queue.ts';
import type { Registry } from '../registry/registry.ts';
import { keyOf, type Stored } from '../store/object.ts';
import { volumesReady } from '../volumes/attachments.ts';
import type { KubeletOptions } from './node-object.ts';
import { behaviourOf } from './pod-annotations.ts';
import { endedPod, readyPod, runningPod } from './pod-status.ts';

const secondMilliseconds = 1000;

interface Worker {
  timer: Timer | undefined;
  /** When this kubelet first saw that the pod is to end. */
  toldAt: number | undefined;
}

export interface PodWorkers {
  /** Looks at a pod of this node anew and sets a timer for its next step. */
  changed(pod: Stored<Pod>): void;
  deleted(pod: Stored<Pod>): void;
  /** No step is taken any more: the kubelet is dead or cut off. */
  halt(): void;
}

interface PodWorkerParts {
  readonly registry: Registry;
  readonly options: KubeletOptions;
  readonly hostIP: string;
  readonly nextPodIP: () => string;
}

/** What a kubelet does for its pods: start, make ready, end after the stop time or the grace, whichever is first. */
export function createPodWorkers({ registry, options, hostIP, nextPodIP }: PodWorkerParts): PodWorkers {
  const { clock, store } = registry;
  const workers = new Map<string, Worker>();
  const current = (pod: Stored<Pod>): Stored<Pod> | undefined => {
    const found = store.of('pods').get(...splitKey(keyOf(pod)));
    return found?.metadata.uid === pod.metadata.uid ? found : undefined;
  };
  const plan = (pod: Stored<Pod>, seconds: number, step: (pod: Stored<Pod>) => void): void => {
    const worker = workers.get(pod.metadata.uid) ?? { timer: undefined, toldAt: undefined };
    worker.timer?.cancel();
    worker.timer = clock.after(Math.max(0, seconds * secondMilliseconds), () => {
      worker.timer = undefined;
      const found = current(pod);
      if (found !== undefined) step(found);
    });
    workers.set(pod.metadata.uid, worker);
  };
  const start = (pod: Stored<Pod>): void => {
    if (!volumesReady(store, pod)) return plan(pod, 1, start);
    const running = { hostIP, podIP: nextPodIP(), now: clock.now() };
    registry.updateStatus('pods', pod, (found) => {
      const next = runningPod(found, running);
      return behaviourOf(found).readySeconds === 0 ? readyPod(next, true, clock.now()) : next;
    });
    const source = { component: 'kubelet', host: options.nodeName };
    recordEvent(registry, { regarding: pod, reason: 'Started', message: 'Started containers', ...source });
  };
  const becomeReady = (pod: Stored<Pod>): void =>
    void registry.updateStatus('pods', pod, (found) => readyPod(found, true, clock.now()));
  const finish = (pod: Stored<Pod>): void =>
    void registry.updateStatus('pods', pod, (found) => endedPod(found, clock.now()));
  const end = (pod: Stored<Pod>): void => {
    if ((pod.metadata.finalizers ?? []).length > 0) finish(pod);
    registry.delete('pods', pod, { gracePeriodSeconds: 0 });
  };
  const planEnd = (pod: Stored<Pod>): void => {
    const worker = workers.get(pod.metadata.uid) ?? { timer: undefined, toldAt: undefined };
    workers.set(pod.metadata.uid, worker);
    if (pod.metadata.deletionGracePeriodSeconds === 0 && worker.toldAt !== undefined) return;
    if (worker.toldAt === undefined) announceEnd(registry, pod, options.nodeName);
    worker.toldAt ??= clock.now();
    const grace = pod.metadata.deletionGracePeriodSeconds ?? 30;
    const stop = behaviourOf(pod).stopSeconds ?? options.podStopSeconds ?? grace;
    const elapsed = (clock.now() - worker.toldAt) / secondMilliseconds;
    plan(pod, Math.min(stop, grace) - elapsed, end);
  };
  const sync = (pod: Stored<Pod>): void => {
    const { startSeconds, readySeconds, runSeconds } = behaviourOf(pod);
    const phase = pod.status?.phase;
    if (pod.metadata.deletionTimestamp !== undefined) return planEnd(pod);
    if (workers.get(pod.metadata.uid)?.timer !== undefined) return;
    if (phase === 'Pending') return plan(pod, startSeconds ?? options.podStartSeconds ?? 1, start);
    if (phase !== 'Running') return;
    const ready = pod.status?.conditions?.some(({ type, status }) => type === 'Ready' && status === 'True');
    if (ready !== true && readySeconds !== undefined) return plan(pod, readySeconds, becomeReady);
    if (runSeconds !== undefined) plan(pod, runSeconds, finish);
  };
  return {
    changed: sync,
    deleted: ({ metadata }) => {
      workers.get(metadata.uid)?.timer?.cancel();
      workers.delete(metadata.uid);
    },
    halt: () => {
      for (const { timer } of workers.values()) timer?.cancel();
      workers.clear();
    },
  };
}

function announceEnd(registry: Registry, pod: Stored<Pod>, host: string): void {
  const message = 'Stopping containers';
  recordEvent(registry, { regarding: pod, reason: 'Killing', message, component: 'kubelet', host });
}
