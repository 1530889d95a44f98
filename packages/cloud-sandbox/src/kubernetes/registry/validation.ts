import { isDeepStrictEqual } from 'node:util';
import type { Deployment } from 'kubernetes-types/apps/v1.d.ts';
import type { PodTemplateSpec } from 'kubernetes-types/core/v1.d.ts';
import type { LabelSelector, StatusCause } from 'kubernetes-types/meta/v1.d.ts';
import { invalid } from '../api/errors.ts';
import { type ResourceDefinition, resourceKey } from '../resources/definition.ts';
import type { KubernetesObject, Stored } from '../store/object.ts';
import type { ObjectTypes } from '../store/types.ts';
import { forbiddenValue, invalidValue, required } from './causes.ts';
import { budgetCauses } from './validate-budgets.ts';
import { certificateCauses } from './validate-certificates.ts';
import { configMapCauses, immutableCauses, secretCauses, secretTypeCauses } from './validate-data.ts';
import { eventCauses } from './validate-events.ts';
import { metadataCauses } from './validate-metadata.ts';
import { nodeCauses, nodeUpdateCauses } from './validate-nodes.ts';
import { podSpecCauses, podUpdateCauses } from './validate-pods.ts';
import { clusterRoleCauses, roleCauses } from './validate-rules.ts';

type Faults<T> = (object: T) => readonly StatusCause[];
type UpdateFaults<T> = (previous: T, next: T) => readonly StatusCause[];
type ByResource = { readonly [K in keyof ObjectTypes]?: Faults<ObjectTypes[K]> };
type UpdatesByResource = { readonly [K in keyof ObjectTypes]?: UpdateFaults<ObjectTypes[K]> };

const ofResources: ByResource = {
  pods: ({ spec }) => podSpecCauses(spec, 'spec'),
  nodes: nodeCauses,
  configmaps: configMapCauses,
  secrets: secretCauses,
  events: eventCauses,
  'poddisruptionbudgets.policy': budgetCauses,
  'certificatesigningrequests.certificates.k8s.io': certificateCauses,
  'roles.rbac.authorization.k8s.io': roleCauses,
  'clusterroles.rbac.authorization.k8s.io': clusterRoleCauses,
  'deployments.apps': workloadCauses,
  'replicasets.apps': workloadCauses,
  'statefulsets.apps': workloadCauses,
  'daemonsets.apps': workloadCauses,
};

const ofUpdates: UpdatesByResource = {
  pods: podUpdateCauses,
  nodes: nodeUpdateCauses,
  configmaps: immutableCauses,
  secrets: (previous, next) => [...secretTypeCauses(previous, next), ...immutableCauses(previous, next)],
  'deployments.apps': selectorCauses,
};

/** What the real server refuses, and what the simulation's own parts could not read. Throws 422 Invalid with every cause. */
export function validate(definition: ResourceDefinition, object: Stored<KubernetesObject>): void {
  refuse(definition, object, causesOf(definition, object));
}

/** Likewise, and what may not change once it is set. */
export function validateUpdate(
  definition: ResourceDefinition,
  previous: Stored<KubernetesObject>,
  next: Stored<KubernetesObject>,
): void {
  const faults = Reflect.get(ofUpdates, resourceKey(definition)) as UpdateFaults<object> | undefined;
  refuse(definition, next, [
    ...causesOf(definition, next),
    ...finalizerCauses(previous, next),
    ...(faults?.(previous, next) ?? []),
  ]);
}

function causesOf(definition: ResourceDefinition, object: Stored<KubernetesObject>): readonly StatusCause[] {
  const faults = Reflect.get(ofResources, resourceKey(definition)) as Faults<object> | undefined;
  return [...metadataCauses(definition, object), ...(faults?.(object) ?? [])];
}

function refuse(
  { group, kind }: ResourceDefinition,
  { metadata }: Stored<KubernetesObject>,
  causes: readonly StatusCause[],
): void {
  if (causes.length > 0) throw invalid({ group, kind, name: metadata.name, causes });
}

interface Workload {
  readonly spec?: {
    readonly selector?: LabelSelector;
    readonly template?: PodTemplateSpec;
  };
}

function workloadCauses({ spec }: Workload): readonly StatusCause[] {
  const labels = spec?.template?.metadata?.labels;
  const wanted = Object.entries(spec?.selector?.matchLabels ?? {});
  const matches = spec?.selector !== undefined && wanted.every(([key, value]) => labels?.[key] === value);
  const why = '`selector` does not match template `labels`';
  return [
    ...(spec?.selector === undefined ? [required('spec.selector')] : []),
    ...(matches ? [] : [invalidValue('spec.template.metadata.labels', labels, why)]),
    ...podSpecCauses(spec?.template?.spec, 'spec.template.spec'),
  ];
}

function selectorCauses(previous: Deployment, next: Deployment): readonly StatusCause[] {
  const selector = next.spec?.selector;
  if (isDeepStrictEqual(previous.spec?.selector, selector)) return [];
  return [invalidValue('spec.selector', selector, 'field is immutable')];
}

/** What is being deleted is given nothing more to wait for. The server finds it twice. */
function finalizerCauses(
  { metadata: before }: Stored<KubernetesObject>,
  { metadata }: Stored<KubernetesObject>,
): readonly StatusCause[] {
  const added = (metadata.finalizers ?? []).filter((one) => before.finalizers?.includes(one) !== true);
  if (before.deletionTimestamp === undefined || added.length === 0) return [];
  const shown = added.map((one) => JSON.stringify(one)).join(', ');
  const why = `no new finalizers can be added if the object is being deleted, found new finalizers []string{${shown}}`;
  const cause = forbiddenValue('metadata.finalizers', why);
  return [cause, cause];
}
