import { isDeepStrictEqual } from 'node:util';
import type { DaemonSet } from 'kubernetes-types/apps/v1.d.ts';
import type { Pod } from 'kubernetes-types/core/v1.d.ts';
import type { StatusCause } from 'kubernetes-types/meta/v1.d.ts';
import type { PodDisruptionBudget } from 'kubernetes-types/policy/v1.d.ts';
import { invalid } from '../api/errors.ts';
import { type ResourceDefinition, resourceKey } from '../resources/definition.ts';
import type { KubernetesObject, Stored } from '../store/object.ts';

const subdomain = /^[a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*$/;

const required = (field: string, message = 'Required value'): StatusCause => ({
  reason: 'FieldValueRequired',
  field,
  message,
});

/** The checks that keep the simulation's own parts from misreading an object. Throws 422 Invalid with every cause. */
export function validate(definition: ResourceDefinition, object: Stored<KubernetesObject>): void {
  const causes = [...nameCauses(definition, object), ...kindCauses(definition, object)];
  refuse(definition, object, causes);
}

function refuse(
  { group, kind }: ResourceDefinition,
  { metadata }: Stored<KubernetesObject>,
  causes: readonly StatusCause[],
): void {
  if (causes.length > 0) throw invalid({ group, kind, name: metadata.name, causes });
}

function nameCauses(
  { group }: ResourceDefinition,
  { metadata }: Stored<KubernetesObject>,
): readonly StatusCause[] {
  const { name } = metadata;
  if (name === '') return [required('metadata.name', 'Required value: name or generateName is required')];
  if (group === 'rbac.authorization.k8s.io' || (subdomain.test(name) && name.length <= 253)) return [];
  const rule =
    "a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', and must start and end with an alphanumeric character (e.g. 'example.com', regex used for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*')";
  return [
    { reason: 'FieldValueInvalid', field: 'metadata.name', message: `Invalid value: "${name}": ${rule}` },
  ];
}

function kindCauses(
  definition: ResourceDefinition,
  object: Stored<KubernetesObject>,
): readonly StatusCause[] {
  const key = resourceKey(definition);
  if (key === 'pods') {
    const { spec } = object as Stored<Pod>;
    return (spec?.containers ?? []).length > 0 ? [] : [required('spec.containers')];
  }
  if (key === 'poddisruptionbudgets.policy') return budgetCauses(object as Stored<PodDisruptionBudget>);
  if (!/^(deployments|replicasets|statefulsets|daemonsets)\.apps$/.test(key)) return [];
  return workloadCauses(object as Stored<DaemonSet>);
}

function budgetCauses({ spec }: Stored<PodDisruptionBudget>): readonly StatusCause[] {
  if (spec?.minAvailable === undefined || spec.maxUnavailable === undefined) return [];
  return [
    {
      reason: 'FieldValueInvalid',
      field: 'spec',
      message: 'Invalid value: {}: minAvailable and maxUnavailable cannot be both set'.replace(
        '{}',
        JSON.stringify(spec),
      ),
    },
  ];
}

function workloadCauses({ spec }: Stored<DaemonSet>): readonly StatusCause[] {
  const labels = spec?.template?.metadata?.labels ?? {};
  const wanted = Object.entries(spec?.selector?.matchLabels ?? {});
  const containers = spec?.template?.spec?.containers ?? [];
  const matches = wanted.every(([key, value]) => labels[key] === value);
  return [
    ...(spec?.selector === undefined ? [required('spec.selector')] : []),
    ...(matches
      ? []
      : [
          {
            reason: 'FieldValueInvalid',
            field: 'spec.template.metadata.labels',
            message: `Invalid value: ${JSON.stringify(labels)}: \`selector\` does not match template \`labels\``,
          },
        ]),
    ...(containers.length > 0 ? [] : [required('spec.template.spec.containers')]),
  ];
}

/** What may not change once it is set: a node's providerID, a pod's node, a workload's selector. Throws 422. */
export function validateUpdate(
  definition: ResourceDefinition,
  previous: Stored<KubernetesObject>,
  next: Stored<KubernetesObject>,
): void {
  const field = { nodes: 'providerID', pods: 'nodeName', 'deployments.apps': 'selector' }[
    resourceKey(definition)
  ];
  if (field === undefined) return;
  const before: unknown = Reflect.get(previous.spec ?? {}, field);
  const after: unknown = Reflect.get(next.spec ?? {}, field);
  if (before === undefined || before === '' || isDeepStrictEqual(before, after)) return;
  const message = `Invalid value: ${JSON.stringify(after)}: field is immutable`;
  refuse(definition, next, [{ reason: 'FieldValueInvalid', field: `spec.${field}`, message }]);
}
