import type { Pod } from 'kubernetes-types/core/v1.d.ts';
import { recordEvent } from '../controllers/events.ts';
import type { Registry } from '../registry/registry.ts';
import type { Stored } from '../store/object.ts';
import type { KubeletOptions } from './node-object.ts';
import { behaviourOf } from './pod-annotations.ts';
import { endedPod, readyPod, runningPod } from './pod-status.ts';

/** What a kubelet's steps need besides the pod. */
export interface PodStepParts {
  readonly registry: Registry;
  readonly options: KubeletOptions;
  readonly hostIP: string;
  readonly nextPodIP: () => string;
}

/** The containers run; ready at once unless the pod says otherwise. */
export function startPod({ registry, options, hostIP, nextPodIP }: PodStepParts, pod: Stored<Pod>): void {
  const now = registry.clock.now();
  const running = { hostIP, podIP: nextPodIP(), now };
  registry.updateStatus('pods', pod, (found) => {
    const next = runningPod(found, running);
    return behaviourOf(found).readySeconds === 0 ? readyPod(next, true, now) : next;
  });
  const source = { component: 'kubelet', host: options.nodeName };
  recordEvent(registry, { regarding: pod, reason: 'Started', message: 'Started containers', ...source });
}

export function makeReady({ registry }: PodStepParts, pod: Stored<Pod>): void {
  registry.updateStatus('pods', pod, (found) => readyPod(found, true, registry.clock.now()));
}

/** The containers have ended by themselves, with success. */
export function finishPod({ registry }: PodStepParts, pod: Stored<Pod>): void {
  registry.updateStatus('pods', pod, (found) => endedPod(found, registry.clock.now()));
}

/** The containers have stopped as requested: the pod goes, or shows its end while finalizers hold it. */
export function removePod(parts: PodStepParts, pod: Stored<Pod>): void {
  if ((pod.metadata.finalizers ?? []).length > 0) finishPod(parts, pod);
  parts.registry.delete('pods', pod, { gracePeriodSeconds: 0 });
}

export function announceEnd({ registry, options }: PodStepParts, pod: Stored<Pod>): void {
  const source = { component: 'kubelet', host: options.nodeName };
  recordEvent(registry, { regarding: pod, reason: 'Killing', message: 'Stopping containers', ...source });
}
