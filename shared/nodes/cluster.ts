import type { Deployment, ReplicaSet } from 'kubernetes-types/apps/v1.d.ts';
import type { Node, Pod } from 'kubernetes-types/core/v1.d.ts';
import type { PodDisruptionBudget } from 'kubernetes-types/policy/v1.d.ts';
import type { VolumeAttachment } from 'kubernetes-types/storage/v1.d.ts';

/** One pod object. A StatefulSet pod that is recreated elsewhere has the same name, but not the same UID. */
export interface PodIdentity {
  readonly namespace: string;
  readonly name: string;
  readonly uid: string;
}

/** `cached`: the watch cache of the API server may be used (resourceVersion=0). `consistent`: nothing older than the request. */
export type Consistency = 'cached' | 'consistent';

/**
 * The response of the API server to an eviction.
 * - `gone`: 404, or 409 of the UID precondition (another pod has the name);
 * - `held`: 429 with cause DisruptionBudget, the only response that means a budget;
 * - `throttled`: any other 429;
 * - `several-budgets`: 500 "more than one PodDisruptionBudget", which waiting will never change;
 * - `refused`: any other refusal; the pod is not evicted in this pass.
 */
export type EvictionAnswer =
  | { readonly kind: 'evicted' }
  | { readonly kind: 'gone' }
  | { readonly kind: 'held'; readonly message: string; readonly retryAfterSeconds?: number }
  /** `isServers`: the answer is not about this pod. Without it, it may be, until another pod gets such an answer. */
  | {
      readonly kind: 'throttled';
      readonly message: string;
      readonly isServers?: true;
      readonly retryAfterSeconds?: number;
    }
  | { readonly kind: 'namespace-terminating'; readonly message: string }
  | { readonly kind: 'several-budgets'; readonly message: string }
  | { readonly kind: 'refused'; readonly statusCode: number; readonly message: string };

/** `found`, `gone` (404), or `unknown` for any other response, which must not count as either. */
export type DaemonSetLookup = 'found' | 'gone' | { readonly unknown: string };

export interface NodeEvent {
  readonly node: { readonly name: string; readonly uid: string };
  readonly type: 'Normal' | 'Warning';
  /** CamelCase, as `kubectl describe node` shows it. */
  readonly reason: string;
  readonly message: string;
}

/** A Node without its spec and status, as a metadata-only list contains it. */
export interface NodeMetadata {
  readonly name: string;
  readonly uid: string;
  readonly labels: Readonly<Record<string, string>>;
  readonly annotations: Readonly<Record<string, string>>;
}

/** The Kubernetes API as a drain needs it. Every method rejects with a KubernetesError if the API server does not respond as expected. */
export interface DrainCluster {
  /** Undefined on 404. */
  getNode(name: string): Promise<Node | undefined>;
  /**
   * The Node whose leaving label names the instance, read consistently; undefined if there is none. Concurrent reads share one request.
   */
  getMarkedNode(instanceId: string): Promise<Node | undefined>;
  /** All nodes. Without a consistency the watch cache may answer. */
  listNodes(consistency?: Consistency): Promise<readonly Node[]>;
  /**
   * Metadata only (PartialObjectMetadataList), from the watch cache. With `notBefore` (epoch milliseconds) the list is consistent, and was
   * not read earlier than that.
   */
  listNodeMetadata(labelSelector: string, notBefore?: number): Promise<readonly NodeMetadata[]>;
  /** Strategic merge patch of a Node. */
  patchNode(name: string, patch: object): Promise<Node>;
  /** `gone` on 404, and if another Node has the name. */
  deleteNode(node: { readonly name: string; readonly uid: string }): Promise<'deleted' | 'gone'>;
  /** All pods with spec.nodeName = node, every page. */
  listPodsOnNode(nodeName: string, consistency: Consistency): Promise<readonly Pod[]>;
  evictPod(pod: PodIdentity, options?: { readonly gracePeriodSeconds?: number }): Promise<EvictionAnswer>;
  /**
   * Sets the condition `DisruptionTarget`, as an eviction does: the pod failure policy of a Job then does not count its end. The message is
   * for people.
   */
  markDisrupted(pod: PodIdentity, message: string): Promise<void>;
  deletePod(pod: PodIdentity, options: { readonly gracePeriodSeconds?: number }): Promise<'deleted' | 'gone'>;
  lookUpDaemonSet(namespace: string, name: string): Promise<DaemonSetLookup>;
  /** Undefined on 404. */
  getReplicaSet(namespace: string, name: string): Promise<ReplicaSet | undefined>;
  /** Undefined on 404. */
  getDeployment(namespace: string, name: string): Promise<Deployment | undefined>;
  /** Strategic merge patch of a Deployment. */
  patchDeployment(namespace: string, name: string, patch: object): Promise<void>;
  listPodDisruptionBudgets(namespace: string): Promise<readonly PodDisruptionBudget[]>;
  listVolumeAttachments(nodeName: string): Promise<readonly VolumeAttachment[]>;
  /** The name of the PersistentVolume that a claim is bound to; undefined if it is not bound, or gone. */
  volumeOfClaim(namespace: string, claimName: string): Promise<string | undefined>;
  recordEvent(event: NodeEvent): Promise<void>;
}
