import { badRequest, conflict, modified, notFound } from '../api/errors.ts';
import { type ResourceDefinition, resourceKey } from '../resources/definition.ts';
import type { KubernetesObject, Stored } from '../store/object.ts';
import { commit, remove, sameContent } from './commit.ts';
import type { Context, WriteOptions } from './context.ts';
import { prepareForUpdate } from './strategies.ts';
import { validate, validateUpdate } from './validation.ts';

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
}

/**
 * Replaces an object as PUT and PATCH do. The last finalizer's removal from an object that is being deleted deletes it.
 * Throws 409 when `next` has another resourceVersion or UID than the stored object, 422 when it is invalid.
 */
export function updateObject(context: Context, update: Update): Stored<KubernetesObject> {
  const { definition, previous, next, subresource, options } = update;
  checkIdentity(definition, previous, next);
  const prepared =
    subresource === undefined
      ? prepareForUpdate(definition, previous, next)
      : { ...previous, [fieldOf(subresource)]: Reflect.get(next, fieldOf(subresource)) };
  if (subresource === undefined) {
    validate(definition, prepared);
    validateUpdate(definition, previous, prepared);
  }
  if (sameContent(previous, prepared)) return previous;
  return isReleased(prepared)
    ? release(context, definition, prepared, options)
    : commit(context, definition, prepared, options?.dryRun);
}

function fieldOf(subresource: string): 'status' | 'spec' {
  return subresource === 'finalize' ? 'spec' : 'status';
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

function checkIdentity(
  definition: ResourceDefinition,
  previous: Stored<KubernetesObject>,
  { metadata = {} }: KubernetesObject,
): void {
  const { name } = previous.metadata;
  if (metadata.name !== undefined && metadata.name !== name)
    throw badRequest(
      `the name of the object (${metadata.name}) does not match the name on the URL (${name})`,
    );
  if (metadata.uid !== undefined && metadata.uid !== '' && metadata.uid !== previous.metadata.uid) {
    throw conflict(
      definition,
      name,
      `Precondition failed: UID in precondition: ${metadata.uid}, UID in object meta: ${previous.metadata.uid}`,
    );
  }
  const version = metadata.resourceVersion ?? '';
  if (version !== '' && version !== previous.metadata.resourceVersion) throw modified(definition, name);
}
