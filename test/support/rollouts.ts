import type { Deployment, ReplicaSet } from 'kubernetes-types/apps/v1.d.ts';
import { restartAnnotation } from '../../shared/draining/rollout-restart.ts';
import { controller } from './pods.ts';

export interface DeploymentParts {
  readonly metadata?: Deployment['metadata'];
  readonly spec?: Partial<NonNullable<Deployment['spec']>>;
  readonly status?: Deployment['status'];
  readonly templateAnnotations?: Record<string, string>;
}

/** The Deployment shop/web of one pod, rolled out, that asks for a rollout before an eviction, unless something else is said. */
export const deploymentOf = ({
  metadata,
  spec,
  status,
  templateAnnotations = { [restartAnnotation]: 'true' },
}: DeploymentParts = {}): Deployment => ({
  metadata: {
    namespace: 'shop',
    name: 'web',
    uid: 'uid-of-deployment',
    resourceVersion: '7',
    generation: 3,
    ...metadata,
  },
  spec: {
    replicas: 1,
    selector: {},
    template: { metadata: { annotations: templateAnnotations } },
    ...spec,
  },
  status: { observedGeneration: 3, replicas: 1, updatedReplicas: 1, availableReplicas: 1, ...status },
});

/** The ReplicaSet of that Deployment, which `pod()` names as its controller. */
export const replicaSetOf = (
  owner = { ...controller('Deployment', 'web'), uid: 'uid-of-deployment' },
): ReplicaSet => ({
  metadata: { namespace: 'shop', name: 'web', uid: 'uid-of-web', ownerReferences: [owner] },
});
