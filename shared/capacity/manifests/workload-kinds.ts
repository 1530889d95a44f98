import type { Deployment, ReplicaSet, StatefulSet } from 'kubernetes-types/apps/v1.d.ts';
import type { CronJob, Job, JobSpec } from 'kubernetes-types/batch/v1.d.ts';
import type {
  PersistentVolumeClaim,
  Pod,
  PodTemplate,
  PodTemplateSpec,
  ReplicationController,
} from 'kubernetes-types/core/v1.d.ts';
import type { LabelSelector } from 'kubernetes-types/meta/v1.d.ts';
import { madeUpHash } from './make-pods.ts';
import {
  controllerObject,
  cronJobObject,
  jobObject,
  podObject,
  podTemplateObject,
  replicationControllerObject,
  statefulSetObject,
} from './workload-schemas.ts';

/** The object of a workload, after its schema has accepted it. The field `kind` says which. */
export type WorkloadObject =
  | (Pod & { readonly kind: 'Pod' })
  | (Deployment & { readonly kind: 'Deployment' })
  | (ReplicaSet & { readonly kind: 'ReplicaSet' })
  | (ReplicationController & { readonly kind: 'ReplicationController' })
  | (StatefulSet & { readonly kind: 'StatefulSet' })
  | (Job & { readonly kind: 'Job' })
  | (CronJob & { readonly kind: 'CronJob' })
  | (PodTemplate & { readonly kind: 'PodTemplate' });

/** The schemas of the kinds that are planned. */
export const workloadSchemas = {
  Pod: podObject,
  Deployment: controllerObject,
  ReplicaSet: controllerObject,
  ReplicationController: replicationControllerObject,
  StatefulSet: statefulSetObject,
  Job: jobObject,
  CronJob: cronJobObject,
  PodTemplate: podTemplateObject,
} as const;

/** What the kind of a workload decides about its pods. */
export interface WorkloadShape {
  readonly replicas: number;
  readonly template: PodTemplateSpec;
  readonly labelSelector?: LabelSelector;
  readonly claimTemplates?: readonly PersistentVolumeClaim[];
  readonly firstOrdinal?: number;
  readonly notes: readonly string[];
}

/** The pods that the controller of a workload makes, as far as the scheduler can tell them apart. */
export function shapeOf(object: WorkloadObject): WorkloadShape {
  switch (object.kind) {
    case 'Pod':
      return singlePod({ metadata: object.metadata ?? {}, ...(object.spec && { spec: object.spec }) });
    case 'PodTemplate':
      return singlePod(object.template ?? {});
    case 'Deployment':
      return deployment(object);
    case 'ReplicaSet':
      return {
        replicas: object.spec?.replicas ?? 1,
        template: object.spec?.template ?? {},
        ...(object.spec && { labelSelector: object.spec.selector }),
        notes: [],
      };
    case 'ReplicationController':
      return replicationController(object);
    case 'StatefulSet':
      return statefulSet(object);
    case 'Job':
      return job(object.spec, object.metadata?.name, []);
    case 'CronJob':
      return cronJob(object);
    default:
      return object satisfies never;
  }
}

function singlePod(template: PodTemplateSpec): WorkloadShape {
  const labels = template.metadata?.labels ?? {};
  const hasLabels = Object.keys(labels).length > 0;
  return { replicas: 1, template, ...(hasLabels && { labelSelector: { matchLabels: labels } }), notes: [] };
}

const withLabels = (
  template: PodTemplateSpec,
  labels: Readonly<Record<string, string>>,
): PodTemplateSpec => ({
  ...template,
  metadata: { ...template.metadata, labels: { ...template.metadata?.labels, ...labels } },
});

/** Its pods are those of a new ReplicaSet, whose hash no pod of the cluster has: constraints with matchLabelKeys count only new pods. */
function deployment({ spec }: Deployment): WorkloadShape {
  const template = spec?.template ?? {};
  return {
    replicas: spec?.replicas ?? 1,
    template: withLabels(template, { 'pod-template-hash': madeUpHash(template, 10) }),
    ...(spec && { labelSelector: spec.selector }),
    notes: [],
  };
}

function replicationController({ spec }: ReplicationController): WorkloadShape {
  const template = spec?.template ?? {};
  const matchLabels = spec?.selector ?? template.metadata?.labels ?? {};
  return { replicas: spec?.replicas ?? 1, template, labelSelector: { matchLabels }, notes: [] };
}

interface Ordinals {
  readonly ordinals?: { readonly start?: number };
}

function statefulSet({ metadata, spec }: StatefulSet): WorkloadShape {
  const template = spec?.template ?? {};
  const { ordinals }: Ordinals = spec ?? {};
  const revision = `${metadata?.name ?? ''}-${madeUpHash(template, 10)}`;
  return {
    replicas: spec?.replicas ?? 1,
    template: withLabels(template, { 'controller-revision-hash': revision }),
    ...(spec && { labelSelector: spec.selector }),
    claimTemplates: spec?.volumeClaimTemplates ?? [],
    firstOrdinal: ordinals?.start ?? 0,
    notes: [],
  };
}

const suspended = 'is suspended: it is planned as if it were resumed';

/** As many pods run at once as `parallelism` says, but never more than are still to complete. */
function job(spec: JobSpec | undefined, name: string | undefined, notes: readonly string[]): WorkloadShape {
  const { parallelism = 1, completions, suspend, template = {} } = spec ?? {};
  const uid = madeUpHash([name, template], 10);
  const names = name && { 'batch.kubernetes.io/job-name': name };
  return {
    replicas: Math.min(parallelism, completions ?? parallelism),
    template: withLabels(template, {
      ...(name && { ...names, 'job-name': name }),
      'batch.kubernetes.io/controller-uid': uid,
      'controller-uid': uid,
    }),
    ...(names && { labelSelector: { matchLabels: names } }),
    notes: suspend === true ? [suspended, ...notes] : notes,
  };
}

/** One run. Its name is made of the time at which it starts, so that no label of its pods is known in advance. */
function cronJob({ metadata, spec }: CronJob): WorkloadShape {
  const overlap =
    spec?.concurrencyPolicy === 'Forbid' || spec?.concurrencyPolicy === 'Replace'
      ? []
      : ['is planned with one run: runs that overlap (concurrencyPolicy Allow) need more'];
  const { labelSelector: _, ...run } = job(spec?.jobTemplate.spec, `${metadata?.name ?? ''}-0`, overlap);
  return spec?.suspend === true ? { ...run, notes: [suspended, ...run.notes] } : run;
}
