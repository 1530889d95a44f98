import type { Registry } from '../registry/registry.ts';
import { startScheduler } from '../scheduling/scheduler.ts';
import { startVolumeControllers } from '../volumes/controller.ts';
import { startCertificateApprover } from './certificates/approver.ts';
import { startCertificateCleaner } from './certificates/cleaner.ts';
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

/** By the names that `--controllers` of kube-controller-manager has for them. */
const controllers = {
  'garbage-collector-controller': startGarbageCollector,
  'namespace-controller': startNamespaceController,
  'replicaset-controller': startReplicaSetController,
  'deployment-controller': startDeploymentController,
  'statefulset-controller': startStatefulSetController,
  'daemonset-controller': startDaemonSetController,
  'disruption-controller': startDisruptionController,
  'endpointslice-controller': startEndpointSliceController,
  'pod-garbage-collector-controller': startPodGarbageCollector,
  'token-cleaner-controller': startTokenCleaner,
  'certificatesigningrequest-approving-controller': startCertificateApprover,
  'certificatesigningrequest-cleaner-controller': startCertificateCleaner,
  'persistentvolume-attach-detach-controller': startVolumeControllers,
} as const satisfies Readonly<Record<string, (registry: Registry) => void>>;

export type ControllerName = keyof typeof controllers;

/** The controller manager, with these of its controllers or all, and the scheduler; nodes are watched over in any case. */
export function startControllers(registry: Registry, names?: readonly ControllerName[]): NodeMonitor {
  for (const [name, start] of Object.entries(controllers))
    if (names === undefined || names.some((wanted) => wanted === name)) start(registry);
  startScheduler(registry);
  return startNodeLifecycleController(registry);
}
