import type { Registry } from '../registry/registry.ts';
import { startScheduler } from '../scheduling/scheduler.ts';
import { startVolumeControllers } from '../volumes/controller.ts';
import { startDaemonSetController } from './daemon-set.ts';
import { startDeploymentController } from './deployment.ts';
import { startDisruptionController } from './disruption.ts';
import { startEndpointSliceController } from './endpoint-slice.ts';
import { startGarbageCollector } from './garbage-collector.ts';
import { startNamespaceController } from './namespace.ts';
import { type NodeMonitor, startNodeLifecycleController } from './node-lifecycle.ts';
import { startPodGarbageCollector } from './pod-garbage-collector.ts';
import { startReplicaSetController } from './replica-set.ts';
import { startStatefulSetController } from './stateful-set.ts';
import { startTokenCleaner } from './token-cleaner.ts';

/** The controller manager and the scheduler. */
export function startControllers(registry: Registry): NodeMonitor {
  startGarbageCollector(registry);
  startNamespaceController(registry);
  startReplicaSetController(registry);
  startDeploymentController(registry);
  startStatefulSetController(registry);
  startDaemonSetController(registry);
  startDisruptionController(registry);
  startEndpointSliceController(registry);
  startPodGarbageCollector(registry);
  startTokenCleaner(registry);
  startVolumeControllers(registry);
  startScheduler(registry);
  return startNodeLifecycleController(registry);
}
