import type { DaemonSet } from 'kubernetes-types/apps/v1.d.ts';
import type { Namespace, PersistentVolumeClaim, Pod, PodTemplateSpec } from 'kubernetes-types/core/v1.d.ts';
import type { LabelSelector } from 'kubernetes-types/meta/v1.d.ts';
import type { StorageClass } from 'kubernetes-types/storage/v1.d.ts';
import type { ManifestProblem } from './problem.ts';

/** A plan for more pods is not made: it would take minutes. */
export const mostPods = 100_000;

/** A file of manifests that has been read as UTF-8. */
export interface ManifestFile {
  /** As it is shown in messages, such as `web.yaml` or `standard input`. */
  readonly name: string;
  readonly text: string;
}

/** Where an object is in the manifests. */
export interface ManifestSource {
  readonly file: string;
  /** Counted from 1, without empty documents. */
  readonly document: number;
}

/** Which pods of a cluster belong to a workload. */
export interface WorkloadSelector {
  readonly namespace: string;
  readonly labelSelector: LabelSelector;
}

/** How the pods of a workload are made. */
export interface PodMaker {
  readonly kind: string;
  readonly namespace: string;
  readonly name: string;
  /** With the labels that its controller adds to each pod. */
  readonly template: PodTemplateSpec;
  /** Of a StatefulSet: each pod has its own claim from each of them. */
  readonly claimTemplates: readonly PersistentVolumeClaim[];
  /** The number of the first pod: 0 except for a StatefulSet with `ordinals.start`. */
  readonly firstOrdinal: number;
}

/** Pods of one template that need room. */
export interface Workload {
  /** Undefined for a workload that does not come from a manifest. */
  readonly source?: ManifestSource;
  readonly kind: string;
  readonly namespace: string;
  readonly name: string;
  /** How many of its pods run at once. */
  readonly replicas: number;
  /** One for each replica, with names that no other workload of the same manifests has. */
  readonly pods: readonly Pod[];
  /** The claims that the StatefulSet controller makes for these pods. Some may exist in the cluster already, which count then. */
  readonly claims: readonly PersistentVolumeClaim[];
  /** Undefined if its pods have no label that others lack. */
  readonly selector?: WorkloadSelector;
  readonly maker: PodMaker;
  /** What a plan for it does not count. Each text continues the name of the workload, such as `requests no cpu`. */
  readonly notes: readonly string[];
}

/** Objects of the manifests that a plan adds to those of the cluster. An object of the manifests replaces that of the cluster with its name. */
export interface ManifestSurroundings {
  readonly claims: readonly PersistentVolumeClaim[];
  readonly storageClasses: readonly StorageClass[];
  readonly namespaces: readonly Namespace[];
  /** Each of their pods comes with a node, so they take room on new nodes and are not planned themselves. */
  readonly daemonSets: readonly DaemonSet[];
}

/** What manifests say. With a problem, nothing else is there: a plan for half of the manifests would be wrong. */
export interface ManifestReading {
  readonly workloads: readonly Workload[];
  readonly surroundings: ManifestSurroundings;
  /** What was left out, as sentences for people. A workload has its own notes. */
  readonly notes: readonly string[];
  readonly problems: readonly ManifestProblem[];
}
