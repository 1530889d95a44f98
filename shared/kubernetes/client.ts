import type { Clock } from '../base/clock.ts';
import type { DrainCluster } from '../nodes/cluster.ts';
import { type ApiOptions, createApi } from './api.ts';
import { eventCalls } from './events.ts';
import { nodeCalls } from './nodes.ts';
import { podCalls } from './pods.ts';
import { volumeCalls } from './volumes.ts';

export interface KubernetesClientOptions extends ApiOptions {
  /** The time of Events. */
  readonly clock: Clock;
}

/** The Kubernetes API of one cluster, as a drain needs it. */
export function createKubernetesClient(options: KubernetesClientOptions): DrainCluster {
  const api = createApi(options);
  return {
    ...nodeCalls(api),
    ...podCalls(api),
    ...volumeCalls(api),
    ...eventCalls(api, options.clock),
  };
}
