import type { Node, Pod } from 'kubernetes-types/core/v1.d.ts';
import type { PodDisruptionBudget } from 'kubernetes-types/policy/v1.d.ts';
import type { VolumeAttachment } from 'kubernetes-types/storage/v1.d.ts';

/** A pod under one name at one time: a StatefulSet pod made anew elsewhere has the name, not the UID. */
export interface PodIdentity {
  readonly namespace: string;
  readonly name: string;
  readonly uid: string;
}

/** `cached`: the API server's watch cache may answer (resourceVersion=0); `consistent`: nothing older than now. */
export type Consistency = 'cached' | 'consistent';

/**
 * What the API server said to an eviction.
 * - `gone`: 404, or 409 of the UID precondition: another pod under that name;
 * - `held`: 429 with cause DisruptionBudget, the only answer that means a budget;
 * - `throttled`: any other 429;
 * - `several-budgets`: 500 "more than one PodDisruptionBudget": waiting will never change it;
 * - `refused`: anything else; fatal for this pod in this pass.
 */
export type EvictionAnswer =
  | { readonly kind: 'evicted' }
  | { readonly kind: 'gone' }
  | { readonly kind: 'held'; readonly message: string; readonly retryAfterSeconds?: number }
  | { readonly kind: 'throttled'; readonly message: string; readonly retryAfterSeconds?: number }
  | { readonly kind: 'namespace-terminating'; readonly message: string }
  | { readonly kind: 'several-budgets'; readonly message: string }
  | { readonly kind: 'refused'; readonly statusCode: number; readonly message: string };

/** `found`, `gone` (404), or `unknown`: any other answer, which must not be read as either. */
export type DaemonSetLookup = 'found' | 'gone' | { readonly unknown: string };

export interface NodeEvent {
  readonly node: { readonly name: string; readonly uid: string };
  readonly type: 'Normal' | 'Warning';
  /** CamelCase, as `kubectl describe node` shows it. */
  readonly reason: string;
  readonly message: string;
}

/** A Node without its spec and status: what a label-selected, metadata-only list brings. */
export interface NodeMetadata {
  readonly name: string;
  readonly uid: string;
  readonly labels: Readonly<Record<string, string>>;
  readonly annotations: Readonly<Record<string, string>>;
}

/** The Kubernetes API as a drain needs it. Every method rejects with a KubernetesError when the API server does not answer as expected. */
export interface DrainCluster {
  /** Undefined on 404. */
  getNode(name: string): Promise<Node | undefined>;
  /**
   * The Node whose leaving label names the instance, as it is now; undefined where none does. Those asked for at the same time
   * are one request.
   */
  getMarkedNode(instanceId: string): Promise<Node | undefined>;
  /** All nodes. Without a consistency the watch cache may answer. */
  listNodes(consistency?: Consistency): Promise<readonly Node[]>;
  /**
   * Metadata only (PartialObjectMetadataList), from the watch cache. With `notBefore` (epoch milliseconds) the answer is consistent, and was not
   * read earlier.
   */
  listNodeMetadata(labelSelector: string, notBefore?: number): Promise<readonly NodeMetadata[]>;
  /** Strategic merge patch of a Node. */
  patchNode(name: string, patch: object): Promise<Node>;
  /** 404 and a UID that differs both mean that this Node is gone. */
  deleteNode(node: { readonly name: string; readonly uid: string }): Promise<'deleted' | 'gone'>;
  /** All pods with spec.nodeName = node, every page. */
  listPodsOnNode(nodeName: string, consistency: Consistency): Promise<readonly Pod[]>;
  evictPod(pod: PodIdentity, options?: { readonly gracePeriodSeconds?: number }): Promise<EvictionAnswer>;
  deletePod(pod: PodIdentity, options: { readonly gracePeriodSeconds?: number }): Promise<'deleted' | 'gone'>;
  lookUpDaemonSet(namespace: string, name: string): Promise<DaemonSetLookup>;
  listPodDisruptionBudgets(namespace: string): Promise<readonly PodDisruptionBudget[]>;
  listVolumeAttachments(nodeName: string): Promise<readonly VolumeAttachment[]>;
  /** The name of the PersistentVolume that a claim is bound to; undefined when it is bound to none, or gone. */
  volumeOfClaim(namespace: string, claimName: string): Promise<string | undefined>;
  recordEvent(event: NodeEvent): Promise<void>;
}
