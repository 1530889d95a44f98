import type { CertificateSigningRequest } from 'kubernetes-types/certificates/v1.d.ts';
import { badRequest, conflict, invalid, modified, notFound, unexplained } from '../api/errors.ts';
import { type ResourceDefinition, resourceKey } from '../resources/definition.ts';
import { type KubernetesObject, type Stored, timestamp } from '../store/object.ts';
import { certificateStatus } from './certificate-status.ts';
import { commit, remove, sameContent } from './commit.ts';
import type { Context, WriteOptions } from './context.ts';
import { metadataOfUpdate, prepareForUpdate } from './strategies.ts';
import { validateUpdate } from './validation.ts';

/** Reads an object. Throws 404. */
export function getObject(
  { store }: Context,
  definition: ResourceDefinition,
  namespace: string | undefined,
  name: string,
): Stored<KubernetesObject> {
  const found = store.find(resourceKey(definition))?.get(namespace, name);
  if (found === undefined) throw notFound(definition, name);
  return found;
}

interface Update {
  readonly definition: ResourceDefinition;
  readonly previous: Stored<KubernetesObject>;
  readonly next: KubernetesObject;
  /** `status`, `approval`, ...: only what that part may write is taken from `next`. */
  readonly subresource?: string;
  readonly options?: WriteOptions;
  /** Of a patch another UID is invalid, of a PUT a conflict. */
  readonly isPatch?: boolean;
}

/**
 * Replaces an object as PUT and PATCH do. The last finalizer's removal from an object that is being deleted deletes it.
 * Throws 409 when `next` has another resourceVersion or UID than the stored object, 422 when it is invalid.
 */
export function updateObject(context: Context, update: Update): Stored<KubernetesObject> {
  const { definition, previous, next, subresource, options } = update;
  checkIdentity(update);
  const prepared =
    subresource === undefined ? prepareForUpdate(definition, previous, next) : partOf(context, update);
  if (subresource === undefined) validateUpdate(definition, previous, prepared);
  const { name } = previous.metadata;
  options?.admit?.({ operation: 'update', definition, subresource, name, previous, next: prepared });
  if (sameContent(previous, prepared)) return previous;
  return isReleased(prepared)
    ? release(context, definition, prepared, options)
    : commit(context, definition, prepared, options?.dryRun);
}

/** The object with what a part of it may write. With their status, some kinds take labels and annotations. */
function partOf(
  context: Context,
  { definition, previous, next, subresource }: Update,
): Stored<KubernetesObject> {
  if (subresource === 'finalize') return { ...previous, spec: next.spec };
  const key = resourceKey(definition);
  const isCertificate = key === 'certificatesigningrequests.certificates.k8s.io';
  const takesMetadata = key === 'pods' || key === 'nodes' || isCertificate;
  const metadata = takesMetadata
    ? metadataOfUpdate(definition, previous, { ...next, spec: previous.spec })
    : previous.metadata;
  if (!isCertificate) return { ...previous, metadata, status: next.status };
  const parts = {
    definition,
    previous: previous as Stored<CertificateSigningRequest>,
    next: next as CertificateSigningRequest,
    now: timestamp(context.clock.now()),
  };
  return { ...previous, metadata, status: certificateStatus(parts, subresource) };
}

/** Nothing holds an object any more whose deletion was asked for and whose grace is over. */
function isReleased({ metadata }: Stored<KubernetesObject>): boolean {
  return (
    metadata.deletionTimestamp !== undefined &&
    (metadata.finalizers ?? []).length === 0 &&
    (metadata.deletionGracePeriodSeconds ?? 0) === 0
  );
}

function release(
  context: Context,
  definition: ResourceDefinition,
  object: Stored<KubernetesObject>,
  options?: WriteOptions,
): Stored<KubernetesObject> {
  if (options?.dryRun !== true && !holdsContent(definition, object)) remove(context, definition, object);
  else if (options?.dryRun !== true) return commit(context, definition, object);
  return object;
}

/** A namespace stays until its controller has emptied it: spec.finalizers. */
export function holdsContent(definition: ResourceDefinition, object: Stored<KubernetesObject>): boolean {
  if (definition.plural !== 'namespaces' || definition.group !== '') return false;
  const finalizers: unknown = Reflect.get(object.spec ?? {}, 'finalizers');
  return Array.isArray(finalizers) && finalizers.length > 0;
}

function checkIdentity({ definition, previous, next: { metadata = {} }, isPatch }: Update): void {
  const { name, uid } = previous.metadata;
  if (metadata.name !== undefined && metadata.name !== name)
    throw badRequest(
      `the name of the object (${metadata.name}) does not match the name on the URL (${name})`,
    );
  if (metadata.uid !== undefined && metadata.uid !== '' && metadata.uid !== uid)
    throw isPatch === true
      ? immutableUid(definition, name, metadata.uid)
      : otherUid(definition, previous, metadata.uid);
  const version = metadata.resourceVersion ?? '';
  if (version === '' || version === previous.metadata.resourceVersion) return;
  if (!/^\d+$/.test(version)) throw unexplained(`strconv.ParseUint: parsing "${version}": invalid syntax`);
  throw modified(definition, name);
}

const otherUid = (definition: ResourceDefinition, { metadata }: Stored<KubernetesObject>, given: string) =>
  conflict(
    definition,
    metadata.name,
    `StorageError: invalid object, Code: 4, Key: /registry/${definition.plural}/${metadata.name}, ResourceVersion: 0, AdditionalErrorMsg: Precondition failed: UID in precondition: ${given}, UID in object meta: ${metadata.uid}`,
  );

/** The server finds it twice: in what every object has, and in what its kind has. */
function immutableUid({ group, kind }: ResourceDefinition, name: string, given: string) {
  const message = `Invalid value: "${given}": field is immutable`;
  const cause = { reason: 'FieldValueInvalid', message, field: 'metadata.uid' };
  return invalid({ group, kind, name, causes: [cause, cause] });
}
