import type { Node, Pod, PodSpec, PodStatus } from 'kubernetes-types/core/v1.d.ts';
import type { ObjectMeta, OwnerReference } from 'kubernetes-types/meta/v1.d.ts';
import type { PodDisruptionBudget, PodDisruptionBudgetStatus } from 'kubernetes-types/policy/v1.d.ts';

export const controller = (
  kind: string,
  name: string,
  apiVersion: OwnerReference['apiVersion'] = 'apps/v1',
): OwnerReference => ({ kind, name, apiVersion, controller: true, uid: `uid-of-${name}` });

export interface PodParts {
  readonly name?: string;
  readonly namespace?: string;
  readonly uid?: string;
  readonly labels?: Record<string, string>;
  readonly annotations?: Record<string, string>;
  /** Defaults to a ReplicaSet; `null` for a pod without a controller. */
  readonly owner?: OwnerReference | null;
  readonly phase?: string;
  readonly ready?: boolean;
  readonly spec?: Partial<PodSpec>;
  readonly metadata?: Partial<ObjectMeta>;
  readonly graceSeconds?: number;
  /** Epoch milliseconds at which its grace ends. */
  readonly terminatesAt?: number;
}

/** A pod as the API server lists it: running, ready, of a ReplicaSet, unless something else is said. */
export function pod(parts: PodParts = {}): Pod {
  const name = parts.name ?? 'web-1';
  return {
    metadata: {
      name,
      namespace: parts.namespace ?? 'shop',
      uid: parts.uid ?? `uid-of-${name}`,
      ...(parts.labels && { labels: parts.labels }),
      ...(parts.annotations && { annotations: parts.annotations }),
      ...(parts.owner !== null && { ownerReferences: [parts.owner ?? controller('ReplicaSet', 'web')] }),
      ...(parts.terminatesAt !== undefined && {
        deletionTimestamp: new Date(parts.terminatesAt).toISOString(),
      }),
      ...parts.metadata,
    },
    spec: {
      containers: [],
      terminationGracePeriodSeconds: parts.graceSeconds ?? 30,
      nodeName: 'node-1',
      ...parts.spec,
    },
    status: statusOf(parts),
  };
}

const statusOf = ({ phase = 'Running', ready = true }: PodParts): PodStatus => ({
  phase,
  conditions: [{ type: 'Ready', status: ready ? 'True' : 'False' }],
});

export const emptyDir = (): Partial<PodSpec> => ({ volumes: [{ name: 'scratch', emptyDir: {} }] });

export interface BudgetParts {
  readonly name?: string;
  readonly namespace?: string;
  readonly selector?: NonNullable<PodDisruptionBudget['spec']>['selector'] | null;
  readonly unhealthyPodEvictionPolicy?: string;
  readonly generation?: number;
  readonly status?: Partial<PodDisruptionBudgetStatus>;
}

/** A budget that allows nothing, for every pod of its namespace, unless something else is said. */
export function budget(parts: BudgetParts = {}): PodDisruptionBudget {
  return {
    metadata: {
      name: parts.name ?? 'web',
      namespace: parts.namespace ?? 'shop',
      generation: parts.generation ?? 1,
    },
    spec: {
      ...(parts.selector !== null && { selector: parts.selector ?? {} }),
      ...(parts.unhealthyPodEvictionPolicy && {
        unhealthyPodEvictionPolicy: parts.unhealthyPodEvictionPolicy,
      }),
    },
    status: {
      observedGeneration: 1,
      disruptionsAllowed: 0,
      currentHealthy: 1,
      desiredHealthy: 1,
      expectedPods: 1,
      ...parts.status,
    },
  };
}

export interface NodeParts {
  readonly name?: string;
  readonly uid?: string;
  readonly labels?: Record<string, string>;
  readonly annotations?: Record<string, string>;
  readonly unschedulable?: boolean;
  readonly ready?: 'True' | 'False' | 'Unknown';
  readonly instanceId?: string;
}

export const instanceId = 'i-0123456789abcdef0';

export function node(parts: NodeParts = {}): Node {
  return {
    metadata: {
      name: parts.name ?? 'node-1',
      uid: parts.uid ?? 'uid-of-node-1',
      ...(parts.labels && { labels: parts.labels }),
      ...(parts.annotations && { annotations: parts.annotations }),
    },
    spec: {
      providerID: `aws:///eu-west-1a/${parts.instanceId ?? instanceId}`,
      ...(parts.unschedulable && { unschedulable: true }),
    },
    status: { conditions: [{ type: 'Ready', status: parts.ready ?? 'True' }] },
  };
}
