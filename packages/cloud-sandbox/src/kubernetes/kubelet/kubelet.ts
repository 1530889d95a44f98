import type { Timer } from '../../simulation/clock.ts';
import type { NodeMonitor } from '../controllers/node-lifecycle.ts';
import type { Registry } from '../registry/registry.ts';
import type { PodDispatcher } from './dispatcher.ts';
import { type KubeletOptions, nodeStatus } from './node-object.ts';
import { registerNode, renewLease, reportReady } from './node-reports.ts';
import { createPodWorkers } from './pod-worker.ts';

/** One simulated kubelet. */
export interface Kubelet {
  readonly nodeName: string;
  readonly alive: boolean;
  /** It dies, with its instance or by itself: its Node stays, becomes Unknown after 50 s, and its pods never finish. */
  stop(): void;
  /** Cut off from the API server, or hung: as stop, until resumed. */
  pause(): void;
  resume(): void;
}

export interface KubeletParts {
  readonly registry: Registry;
  readonly monitor: NodeMonitor;
  readonly dispatcher: PodDispatcher;
  readonly nextPodIP: () => string;
  readonly writesHeartbeats: boolean;
}

/** Leases are renewed this often: the last report of a kubelet that dies is up to so much older than its death. */
const heartbeatMilliseconds = 10_000;

/**
 * Starts a kubelet: it registers its Node, makes it Ready, and runs the pods that are bound to it. Its heartbeats are not
 * written one by one (a thousand nodes would do little else): the monitor knows that it lives, and when it last reported.
 */
export function startKubelet(parts: KubeletParts, options: KubeletOptions): Kubelet {
  const { registry, monitor, dispatcher } = parts;
  const { clock, store } = registry;
  const { nodeName } = options;
  const startedAt = clock.now();
  const hostIP = nodeStatus(options, startedAt, false).addresses?.[0]?.address ?? '';
  const workers = createPodWorkers({ registry, options, hostIP, nextPodIP: parts.nextPodIP });
  let heartbeat: Timer | undefined;
  let state: 'alive' | 'paused' | 'stopped' = 'alive';

  const report = (): void => {
    if (state !== 'alive' || !reportReady(registry, options)) return;
    for (const pod of store.of('pods').find('node', nodeName)) workers.changed(pod);
  };
  const beat = (): void => {
    if (state !== 'alive' || store.of('nodes').get(undefined, nodeName) === undefined) return;
    renewLease(registry, nodeName);
    heartbeat = clock.after(heartbeatMilliseconds, beat);
  };
  const serve = (): void => {
    registerNode(registry, options);
    monitor.alive(nodeName);
    dispatcher.connect(nodeName, workers);
    clock.after((options.readyDelaySeconds ?? 1) * 1000, report);
    if (parts.writesHeartbeats) heartbeat = clock.after(heartbeatMilliseconds, beat);
  };
  const silence = (next: 'paused' | 'stopped'): void => {
    if (state === 'stopped') return;
    if (state === 'alive') {
      const sinceReport = (clock.now() - startedAt) % heartbeatMilliseconds;
      monitor.silent(nodeName, clock.now() - sinceReport);
      dispatcher.disconnect(nodeName);
      workers.halt();
      heartbeat?.cancel();
    }
    state = next;
  };
  serve();
  return {
    nodeName,
    get alive() {
      return state === 'alive';
    },
    stop: () => silence('stopped'),
    pause: () => silence('paused'),
    resume: () => {
      if (state !== 'paused') return;
      state = 'alive';
      serve();
    },
  };
}
