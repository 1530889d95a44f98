import { type ResourceDefinition, resourceKey } from '../resources/definition.ts';
import type { KubernetesObject } from '../store/object.ts';
import { badRequest } from './errors.ts';

const everywhere = ['apiVersion', 'kind', 'metadata'];
const ofMetadata = new Set(
  'name generateName namespace selfLink uid resourceVersion generation creationTimestamp deletionTimestamp deletionGracePeriodSeconds labels annotations ownerReferences finalizers managedFields'.split(
    ' ',
  ),
);

/** Beside `spec` and `status`, or in their place. Source: the API reference of Kubernetes 1.34. */
const own: Readonly<Record<string, string>> = {
  bindings: 'target',
  configmaps: 'data binaryData immutable',
  endpoints: 'subsets',
  events:
    'involvedObject reason message source firstTimestamp lastTimestamp count type eventTime series action related reportingComponent reportingInstance',
  'events.events.k8s.io':
    'eventTime series reportingController reportingInstance action reason regarding related note type deprecatedSource deprecatedFirstTimestamp deprecatedLastTimestamp deprecatedCount',
  secrets: 'data stringData type immutable',
  serviceaccounts: 'secrets imagePullSecrets automountServiceAccountToken',
  'controllerrevisions.apps': 'data revision',
  'endpointslices.discovery.k8s.io': 'addressType endpoints ports',
  'storageclasses.storage.k8s.io':
    'provisioner parameters reclaimPolicy mountOptions allowVolumeExpansion volumeBindingMode allowedTopologies',
  'clusterrolebindings.rbac.authorization.k8s.io': 'subjects roleRef',
  'clusterroles.rbac.authorization.k8s.io': 'rules aggregationRule',
  'rolebindings.rbac.authorization.k8s.io': 'subjects roleRef',
  'roles.rbac.authorization.k8s.io': 'rules',
  'priorityclasses.scheduling.k8s.io': 'value globalDefault description preemptionPolicy',
};

export interface Known {
  readonly object: KubernetesObject;
  /** `unknown field "metadata.nope"`, one for each field that was left out. */
  readonly warnings: readonly string[];
}

/** The object without the fields that its kind does not have, as far as its metadata and its own fields go. */
export function withKnownFields(definition: ResourceDefinition, object: KubernetesObject): Known {
  const fields = new Set([...everywhere, ...(own[resourceKey(definition)] ?? 'spec status').split(' ')]);
  const [kept, unknown] = divided(object, fields);
  const [metadata, unknownOfMetadata] = divided(object.metadata ?? {}, ofMetadata);
  const names = [...unknownOfMetadata.map((name) => `metadata.${name}`), ...unknown];
  if (names.length === 0) return { object, warnings: [] };
  return { object: { ...kept, metadata }, warnings: names.map((name) => `unknown field "${name}"`) };
}

function divided<T extends object>(object: T, known: ReadonlySet<string>): readonly [T, readonly string[]] {
  const unknown = Object.keys(object).filter((name) => !known.has(name));
  const kept = Object.entries(object).filter(([name]) => known.has(name));
  return [Object.fromEntries(kept) as T, unknown];
}

/** Strictly they are refused (400), else they are warned of unless they are to be ignored: the `Warning` header. */
export function checkUnknown(
  { kind, version }: ResourceDefinition,
  warnings: readonly string[],
  fieldValidation: string | null,
): string | undefined {
  if (warnings.length === 0 || fieldValidation === 'Ignore') return undefined;
  if (fieldValidation === 'Strict')
    throw badRequest(
      `${kind} in version "${version}" cannot be handled as a ${kind}: strict decoding error: ${warnings.join(', ')}`,
    );
  return warnings.map((warning) => `299 - "${warning.replaceAll('"', '\\"')}"`).join(', ');
}
