import { type ControllerText, controllerText } from '../fixtures.ts';

export const workload = (name: string, settings: ControllerText = {}): string =>
  controllerText({ ...settings, name }).replaceAll('app: web', `app: ${name}`);

export const small = (name: string, replicas: number, resources: string): string =>
  workload(name, { spec: `replicas: ${replicas}`, resources: `{requests: ${resources}}` });

/** The required anti-affinity to pods on the same host that have this label. */
export const apartFrom = (key: string, value: string): string =>
  `affinity: {podAntiAffinity: {requiredDuringSchedulingIgnoredDuringExecution: [{topologyKey: kubernetes.io/hostname, labelSelector: {matchLabels: {${key}: ${value}}}}]}}`;

export const apart = (name: string): string => apartFrom('app', name);

export const claim = (size: string): string =>
  `volumeClaimTemplates: [{metadata: {name: data}, spec: {accessModes: [ReadWriteOnce], resources: {requests: {storage: ${size}}}}}]`;

export const job = (name: string): string =>
  `apiVersion: batch/v1\nkind: Job\nmetadata: {name: ${name}}\nspec: {template: {spec: {restartPolicy: OnFailure, containers: [{name: a, image: a}]}}}\n`;

export const foreign = (apiVersion: string, kind: string): string =>
  `apiVersion: ${apiVersion}\nkind: ${kind}\nmetadata: {name: main}\nspec: {replicas: 3}\n`;

export const storageClass =
  '{apiVersion: storage.k8s.io/v1, kind: StorageClass, metadata: {name: fast, annotations: {storageclass.kubernetes.io/is-default-class: "true"}}, provisioner: ebs.csi.aws.com, volumeBindingMode: WaitForFirstConsumer}';

/** Manifests, and what a plan makes of them. */
export interface Shape {
  readonly documents: readonly string[];
  /** Kind, name, replicas, CPU in thousandths and MiB of each workload. */
  readonly workloads: readonly (readonly [string, string, number, number, number])[];
  /** The zones with a group of nodes. Default: only `a`, where the first node is. */
  readonly zones?: readonly string[];
  /** How many nodes the plan launches, in all groups together. */
  readonly newNodes: number;
  readonly notes?: readonly RegExp[];
}

export type Shapes = Readonly<Record<string, Shape>>;
