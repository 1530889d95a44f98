import { isDeepStrictEqual } from 'node:util';
import type { CertificateSigningRequest } from 'kubernetes-types/certificates/v1.d.ts';
import type { Secret } from 'kubernetes-types/core/v1.d.ts';
import { type ResourceDefinition, resourceKey } from '../resources/definition.ts';
import type { KubernetesObject, Stored, StoredMeta } from '../store/object.ts';
import type { WriteOptions } from './context.ts';
import { withDefaults } from './defaults.ts';
import { withoutEmpty } from './empty-fields.ts';
import { withEventDefaults } from './event-defaults.ts';
import { qosClassOf } from './pod-defaults.ts';

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
  if (key === 'events') return { ...withEventDefaults(defaulted), metadata };
  if (!resetsStatus(definition)) return { ...defaulted, metadata };
  return { ...defaulted, metadata, status: initialStatus(key, defaulted) };
}

/** Whether the server counts the changes of the spec: as kube-apiserver 1.34 does, not of Nodes, Namespaces or Services. */
function isCounted({ group, plural }: ResourceDefinition): boolean {
  return countedGroups.has(group) || plural === 'pods' || plural === 'replicationcontrollers';
}

const countedGroups = new Set([
  'apps',
  'batch',
  'discovery.k8s.io',
  'admissionregistration.k8s.io',
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

function initialStatus(key: string, { spec }: Stored<KubernetesObject>): object {
  if (key === 'pods') return { phase: 'Pending', qosClass: qosClassOf(spec ?? {}) };
  if (key === 'namespaces') return { phase: 'Active' };
  if (key === 'persistentvolumeclaims') return { phase: 'Pending' };
  if (key === 'services') return { loadBalancer: {} };
  if (key === 'poddisruptionbudgets.policy')
    return { disruptionsAllowed: 0, currentHealthy: 0, desiredHealthy: 0, expectedPods: 0 };
  return {};
}

/** The server sets the requester of a certificate, whatever the request says. */
function withRequester(object: Stored<KubernetesObject>, { user }: WriteOptions): Stored<KubernetesObject> {
  const { spec } = object as Stored<CertificateSigningRequest>;
  const asked = {
    ...withoutIdentity(spec),
    username: user?.username ?? 'system:admin',
    groups: [...(user?.groups ?? ['system:masters', 'system:authenticated'])],
    ...(user?.uid !== undefined && { uid: user.uid }),
    ...(user?.extra !== undefined && { extra: user.extra }),
  };
  return { ...object, spec: asked, status: {} };
}

function withoutIdentity(spec: object): object {
  const identity = ['username', 'uid', 'groups', 'extra'];
  return Object.fromEntries(Object.entries(spec).filter(([name]) => !identity.includes(name)));
}

/** A Secret's stringData is written into data, and never read back. */
function withBytes(object: Stored<KubernetesObject>): Stored<KubernetesObject> {
  const { stringData = {}, ...secret } = object as Stored<Secret>;
  const added = Object.entries(stringData).map(([key, text]) => [key, Buffer.from(text).toString('base64')]);
  const data = { ...secret.data, ...Object.fromEntries(added) };
  return { type: 'Opaque', ...secret, ...(Object.keys(data).length > 0 && { data }) };
}

/** What an update may not change is taken from the stored object, defaults are filled in; a changed spec raises the generation. */
export function prepareForUpdate(
  definition: ResourceDefinition,
  previous: Stored<KubernetesObject>,
  next: KubernetesObject,
): Stored<KubernetesObject> {
  const key = resourceKey(definition);
  const isSame = next.spec === previous.spec;
  const given = { ...next, metadata: { ...next.metadata, ...immutable(previous) } };
  const defaulted = isSame ? given : withDefaults(key, given);
  const metadata = metadataOfUpdate(definition, previous, defaulted);
  const keepStatus = definition.subresources.includes('status');
  const updated = { ...defaulted, ...(keepStatus && { status: previous.status }), metadata };
  // The request and its requester do not change.
  if (key === 'certificatesigningrequests.certificates.k8s.io') return { ...updated, spec: previous.spec };
  return key === 'secrets' ? withBytes(updated) : updated;
}

/** The metadata after an update. */
export function metadataOfUpdate(
  definition: ResourceDefinition,
  previous: Stored<KubernetesObject>,
  next: KubernetesObject,
): StoredMeta {
  const { generation: _, ...given } = next.metadata ?? {};
  return withoutEmpty({ ...given, ...immutable(previous), ...generationOf(definition, previous, next) });
}

function generationOf(
  definition: ResourceDefinition,
  { spec, metadata }: Stored<KubernetesObject>,
  next: KubernetesObject,
): { readonly generation?: number } {
  if (!isCounted(definition)) return {};
  const before = metadata.generation ?? 1;
  const isSame = next.spec === spec || isDeepStrictEqual(withoutNode(next.spec), withoutNode(spec));
  return { generation: isSame ? before : before + 1 };
}

/** To be put on a node is not a new generation of a pod. */
function withoutNode(spec: unknown): unknown {
  if (typeof spec !== 'object' || spec === null || !('containers' in spec)) return spec;
  return { ...spec, nodeName: '' };
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
