import type { PodTemplateSpec } from 'kubernetes-types/core/v1.d.ts';
import { withReplicas } from './make-pods.ts';
import { notesOnTemplate } from './pod-notes.ts';
import type { Workload } from './workload.ts';
import { shapeOf, type WorkloadObject } from './workload-kinds.ts';

/** The workload of an object with its pods. `observed` is the template of pods that run, instead of the template of the object. */
export function workloadOf(
  object: WorkloadObject,
  defaultNamespace: string,
  observed?: PodTemplateSpec,
): Workload {
  const { kind, metadata = {} } = object;
  const shape = shapeOf(object);
  const namespace = metadata.namespace ?? defaultNamespace;
  // The API server appends random letters to generateName.
  const name = metadata.name || `${metadata.generateName ?? ''}new`;
  const { labelSelector, claimTemplates = [], firstOrdinal = 0, replicas } = shape;
  const template = observed ?? shape.template;
  return withReplicas(
    {
      kind,
      namespace,
      name,
      replicas,
      pods: [],
      claims: [],
      ...(labelSelector && { selector: { namespace, labelSelector } }),
      maker: { kind, namespace, name, template, claimTemplates, firstOrdinal },
      notes: [...shape.notes, ...notesOnTemplate(template)],
    },
    replicas,
  );
}
