import { isDeepStrictEqual } from 'node:util';
import type { CertificateSigningRequest } from 'kubernetes-types/certificates/v1.d.ts';
import type { Secret } from 'kubernetes-types/core/v1.d.ts';
import { type ResourceDefinition, resourceKey } from '../resources/definition.ts';
import type { KubernetesObject, Stored } from '../store/object.ts';
import type { WriteOptions } from './context.ts';
import { withDefaults } from './defaults.ts';
import { withoutEmpty } from './empty-fields.ts';

/** What the server itself sets or takes away when an object is made: its generation, its status, defaults. */
export function prepareForCreate(
  definition: ResourceDefinition,
  object: Stored<KubernetesObject>,
  options: WriteOptions,
): Stored<KubernetesObject> {
  const key = resourceKey(definition);
  const defaulted = withDefaults(key, object);
  const metadata = withoutEmpty({
    ...defaulted.metadata,
    ...(isCounted(definition) && { generation: 1 }),
    ...(key === 'namespaces' && { labels: withOwnName(defaulted) }),
  });
  if (key === 'certificatesigningrequests.certificates.k8s.io')
    return { ...withRequester(defaulted, options), metadata };
  if (key === 'secrets') return { ...withBytes(defaulted), metadata };
  if (!resetsStatus(definition)) return { ...defaulted, metadata };
  return { ...defaulted, metadata, status: initialStatus(key) };
}

/** Whether the server counts the changes of the spec: as kube-apiserver 1.34 does, not of Nodes, Namespaces or Services. */
function isCounted({ group, plural }: ResourceDefinition): boolean {
  return countedGroups.has(group) || plural === 'pods' || plural === 'replicationcontrollers';
}

const countedGroups = new Set([
  'apps',
  'batch',
  'discovery.k8s.io',
  'flowcontrol.apiserver.k8s.io',
  'policy',
  'scheduling.k8s.io',
]);

/** As the server labels each Namespace, so that selectors can name it. */
const withOwnName = ({ metadata }: Stored<KubernetesObject>): Readonly<Record<string, string>> => ({
  ...metadata.labels,
  'kubernetes.io/metadata.name': metadata.name,
});

/** Nodes keep the status that their kubelet registers with. */
function resetsStatus({ subresources, plural }: ResourceDefinition): boolean {
  return subresources.includes('status') && plural !== 'nodes';
}

function initialStatus(key: string): object {
  if (key === 'pods') return { phase: 'Pending', qosClass: 'BestEffort' };
  if (key === 'namespaces') return { phase: 'Active' };
  if (key === 'persistentvolumeclaims') return { phase: 'Pending' };
  if (key === 'services') return { loadBalancer: {} };
  if (key === 'poddisruptionbudgets.policy')
    return { disruptionsAllowed: 0, currentHealthy: 0, desiredHealthy: 0, expectedPods: 0 };
  return {};
}

/** Who asks for a certificate stands in its request, whatever the request itself says. */
function withRequester(object: Stored<KubernetesObject>, { user }: WriteOptions): Stored<KubernetesObject> {
  const { spec } = object as Stored<CertificateSigningRequest>;
  const asked = {
    ...spec,
    username: user?.username ?? 'system:admin',
    groups: [...(user?.groups ?? ['system:masters', 'system:authenticated'])],
    ...(user?.uid !== undefined && { uid: user.uid }),
  };
  return { ...object, spec: asked, status: {} };
}

/** A Secret's stringData is written into data, and never read back. */
function withBytes(object: Stored<KubernetesObject>): Stored<KubernetesObject> {
  const { stringData = {}, ...secret } = object as Stored<Secret>;
  const added = Object.entries(stringData).map(([key, text]) => [key, Buffer.from(text).toString('base64')]);
  const data = { ...secret.data, ...Object.fromEntries(added) };
  return { type: 'Opaque', ...secret, ...(Object.keys(data).length > 0 && { data }) };
}

/** What an update may not change is taken from the stored object; a changed spec raises the generation. */
export function prepareForUpdate(
  definition: ResourceDefinition,
  previous: Stored<KubernetesObject>,
  next: KubernetesObject,
): Stored<KubernetesObject> {
  const { generation: _, ...given } = next.metadata ?? {};
  const metadata = withoutEmpty({
    ...given,
    ...immutable(previous),
    ...generationOf(definition, previous, next),
  });
  const keepStatus = definition.subresources.includes('status');
  const updated = { ...next, ...(keepStatus && { status: previous.status }), metadata };
  return resourceKey(definition) === 'secrets' ? withBytes(updated) : updated;
}

function generationOf(
  definition: ResourceDefinition,
  { spec, metadata }: Stored<KubernetesObject>,
  next: KubernetesObject,
): { readonly generation?: number } {
  if (!isCounted(definition)) return {};
  const before = metadata.generation ?? 1;
  const isSame = next.spec === spec || isDeepStrictEqual(next.spec, spec);
  return { generation: isSame ? before : before + 1 };
}

function immutable({ metadata }: Stored<KubernetesObject>) {
  const { name, namespace, uid, creationTimestamp, deletionTimestamp, deletionGracePeriodSeconds } = metadata;
  return {
    name,
    uid,
    creationTimestamp,
    resourceVersion: metadata.resourceVersion,
    ...(namespace !== undefined && { namespace }),
    ...(deletionTimestamp !== undefined && { deletionTimestamp }),
    ...(deletionGracePeriodSeconds !== undefined && { deletionGracePeriodSeconds }),
  };
}
