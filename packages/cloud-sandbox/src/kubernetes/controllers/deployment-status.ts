import type { Deployment, DeploymentCondition, DeploymentStatus } from 'kubernetes-types/apps/v1.d.ts';
import type { Registry } from '../registry/registry.ts';
import { type Stored, timestamp } from '../store/object.ts';

/** What `kubectl rollout status` and `kubectl get deployments` read. */
export function deploymentStatus(
  { store, clock }: Registry,
  deployment: Stored<Deployment>,
  hash: string,
): DeploymentStatus {
  const sets = store.of('replicasets.apps').find('owner', deployment.metadata.uid);
  const sum = (field: 'replicas' | 'readyReplicas' | 'availableReplicas'): number =>
    sets.reduce((total, set) => total + (set.status?.[field] ?? 0), 0);
  const updated = sets.find((set) => set.metadata.labels?.['pod-template-hash'] === hash);
  const wanted = deployment.spec?.replicas ?? 1;
  const available = sum('availableReplicas');
  const counts = {
    replicas: sum('replicas'),
    updatedReplicas: updated?.status?.replicas ?? 0,
    readyReplicas: sum('readyReplicas'),
    availableReplicas: available,
    unavailableReplicas: Math.max(0, wanted - available),
  };
  const present = Object.fromEntries(Object.entries(counts).filter(([, count]) => count > 0));
  const complete = counts.updatedReplicas === wanted && counts.replicas === wanted && available === wanted;
  return {
    observedGeneration: deployment.metadata.generation ?? 1,
    ...present,
    conditions: conditions(deployment, {
      available: available >= wanted - Math.floor(wanted / 4),
      complete,
      now: clock.now(),
    }),
  };
}

interface Progress {
  readonly available: boolean;
  readonly complete: boolean;
  readonly now: number;
}

function conditions({ status }: Stored<Deployment>, progress: Progress): DeploymentCondition[] {
  const { available, complete, now } = progress;
  const wanted = [
    available
      ? ['Available', 'True', 'MinimumReplicasAvailable', 'Deployment has minimum availability.']
      : [
          'Available',
          'False',
          'MinimumReplicasUnavailable',
          'Deployment does not have minimum availability.',
        ],
    complete
      ? ['Progressing', 'True', 'NewReplicaSetAvailable', 'ReplicaSet has successfully progressed.']
      : ['Progressing', 'True', 'ReplicaSetUpdated', 'ReplicaSet is progressing.'],
  ];
  return wanted.map(([type = '', state = '', reason = '', message = '']) => {
    const before = status?.conditions?.find((condition) => condition.type === type);
    if (before?.status === state && before.reason === reason) return before;
    const at = timestamp(now);
    const lastTransitionTime = before?.status === state ? (before.lastTransitionTime ?? at) : at;
    return { type, status: state, reason, message, lastUpdateTime: at, lastTransitionTime };
  });
}
