import type { Pod } from 'kubernetes-types/core/v1.d.ts';
import type { Timer } from '../../simulation/clock.ts';
import { splitKey } from '../controllers/work-queue.ts';
import { keyOf, type Stored } from '../store/object.ts';
import { volumesReady } from '../volumes/attachments.ts';
import type { PodListener } from './dispatcher.ts';
import { behaviourOf } from './pod-annotations.ts';
import { isSettled } from './pod-status.ts';
import { announceEnd, finishPod, makeReady, type PodStepParts, removePod, startPod } from './pod-steps.ts';

interface Worker {
  timer?: Timer;
  /** When this kubelet first saw that the pod is to end. */
  toldAt?: number;
}

export interface PodWorkers extends PodListener {
  /** No step is taken any more: the kubelet is dead or cut off. */
  halt(): void;
}

interface Shift {
  readonly parts: PodStepParts;
  readonly workers: Map<string, Worker>;
}

/** What a kubelet does for its pods: start, make ready, end after the stop time or the grace, whichever is first. */
export function createPodWorkers(parts: PodStepParts): PodWorkers {
  const workers = new Map<string, Worker>();
  return {
    changed: (pod) => planNext({ parts, workers }, pod),
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

function workerOf({ workers }: Shift, { metadata }: Stored<Pod>): Worker {
  const worker = workers.get(metadata.uid) ?? {};
  workers.set(metadata.uid, worker);
  return worker;
}

type Step = (parts: PodStepParts, pod: Stored<Pod>) => void;

/** Sets the pod's one timer; the step is taken on the pod as it is then, if it is still there. */
function plan(shift: Shift, pod: Stored<Pod>, { seconds, step }: { seconds: number; step: Step }): void {
  const { store, clock } = shift.parts.registry;
  const worker = workerOf(shift, pod);
  worker.timer?.cancel();
  worker.timer = clock.after(Math.max(0, seconds * 1000), () => {
    delete worker.timer;
    const found = store.of('pods').get(...splitKey(keyOf(pod)));
    if (found?.metadata.uid === pod.metadata.uid) step(shift.parts, found);
  });
}

function planNext(shift: Shift, pod: Stored<Pod>): void {
  if (pod.metadata.deletionTimestamp !== undefined) return planEnd(shift, pod);
  if (workerOf(shift, pod).timer !== undefined) return;
  const { startSeconds, readySeconds, runSeconds } = behaviourOf(pod);
  if (pod.status?.phase === 'Pending')
    return planStart(shift, pod, startSeconds ?? shift.parts.options.podStartSeconds ?? 1);
  if (pod.status?.phase !== 'Running') return;
  if (!isSettled(pod) && readySeconds !== undefined)
    return plan(shift, pod, { seconds: readySeconds, step: makeReady });
  if (runSeconds !== undefined) plan(shift, pod, { seconds: runSeconds, step: finishPod });
}

/** A pod whose volumes are not attached yet is looked at again every second. */
function planStart(shift: Shift, pod: Stored<Pod>, seconds: number): void {
  const step: Step = (parts, found) => {
    if (volumesReady(parts.registry.store, found)) startPod(parts, found);
    else planStart(shift, found, 1);
  };
  plan(shift, pod, { seconds, step });
}

/** Grace counts from when this kubelet first saw the deletion; a shortened grace takes effect at once. */
function planEnd(shift: Shift, pod: Stored<Pod>): void {
  const { options, registry } = shift.parts;
  const worker = workerOf(shift, pod);
  const grace = pod.metadata.deletionGracePeriodSeconds ?? 30;
  if (grace === 0 && worker.toldAt !== undefined) return;
  if (worker.toldAt === undefined) announceEnd(shift.parts, pod);
  worker.toldAt ??= registry.clock.now();
  const stop = behaviourOf(pod).stopSeconds ?? options.podStopSeconds ?? grace;
  const elapsed = (registry.clock.now() - worker.toldAt) / 1000;
  plan(shift, pod, { seconds: Math.min(stop, grace) - elapsed, step: removePod });
}
