import type { OwnerReference, StatusCause } from 'kubernetes-types/meta/v1.d.ts';
import type { ResourceDefinition } from '../resources/definition.ts';
import type { KubernetesObject, Stored } from '../store/object.ts';
import { invalidValue, required } from './causes.ts';
import {
  dnsLabelProblems,
  dnsSubdomainProblems,
  labelValueProblems,
  qualifiedNameProblems,
} from './names.ts';

/** What every object has, as apimachinery's pkg/api/validation/objectmeta.go looks at it. */
export function metadataCauses(
  definition: ResourceDefinition,
  { metadata }: Stored<KubernetesObject>,
): readonly StatusCause[] {
  const { labels = {}, annotations = {}, finalizers = [], ownerReferences = [] } = metadata;
  const keys = (field: string, map: Readonly<Record<string, string>>) =>
    Object.keys(map).flatMap((key) => problemsAt(field, key, qualifiedNameProblems(key.toLowerCase())));
  return [
    ...nameCauses(definition, metadata.name),
    ...Object.values(labels).flatMap((value) =>
      problemsAt('metadata.labels', value, labelValueProblems(value)),
    ),
    ...keys('metadata.labels', labels),
    ...keys('metadata.annotations', annotations),
    ...ownerReferences.flatMap(ownerCauses),
    ...finalizers.flatMap((finalizer, place) => finalizerCauses(finalizer, `metadata.finalizers[${place}]`)),
  ];
}

const problemsAt = (field: string, value: string, problems: readonly string[]): readonly StatusCause[] =>
  problems.map((problem) => invalidValue(field, value, problem));

/** Kubelets name their certificate requests after hashes, in capitals too. */
const anyNames = new Set(['rbac.authorization.k8s.io', 'certificates.k8s.io']);

function nameCauses({ group, plural }: ResourceDefinition, name: string): readonly StatusCause[] {
  const field = 'metadata.name';
  if (name === '') return [required(field, 'name or generateName is required')];
  if (anyNames.has(group)) return [];
  const isSubdomain = dnsSubdomainProblems(name).length === 0;
  if (group !== '' || plural !== 'namespaces')
    return isSubdomain ? [] : problemsAt(field, name, dnsSubdomainProblems(name));
  if (isSubdomain && name.includes('.')) return [invalidValue(field, name, 'must not contain dots')];
  return problemsAt(field, name, dnsLabelProblems(name));
}

function ownerCauses({ apiVersion = '', kind = '', name = '', uid = '' }: Partial<OwnerReference>) {
  const field = 'metadata.ownerReferences';
  const empty = (part: string, value: string): readonly StatusCause[] =>
    value === '' ? [invalidValue(`${field}.${part}`, '', 'must not be empty')] : [];
  const version =
    apiVersion === '' ? [invalidValue(`${field}.apiVersion`, '', 'version must not be empty')] : [];
  return [...version, ...empty('kind', kind), ...empty('name', name), ...empty('uid', uid)];
}

const standardFinalizers = ['kubernetes', 'orphan', 'foregroundDeletion'];

function finalizerCauses(finalizer: string, field: string): readonly StatusCause[] {
  const problems = qualifiedNameProblems(finalizer);
  if (problems.length > 0) return problemsAt(field, finalizer, problems);
  if (finalizer.includes('/') || standardFinalizers.includes(finalizer)) return [];
  const why = 'name is neither a standard finalizer name nor is it fully qualified';
  return [invalidValue(field, finalizer, why)];
}
