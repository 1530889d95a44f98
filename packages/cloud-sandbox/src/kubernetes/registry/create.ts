import { alreadyExists, namespaceTerminating, notFound, unexplained } from '../api/errors.ts';
import { apiVersionOf, type ResourceDefinition, resourceKey } from '../resources/definition.ts';
import { definitionOf } from '../resources/definitions.ts';
import { type KubernetesObject, type Stored, type StoredMeta, timestamp } from '../store/object.ts';
import { admit } from './admission.ts';
import { commit } from './commit.ts';
import type { Context, WriteOptions } from './context.ts';
import { prepareForCreate } from './strategies.ts';
import { validate } from './validation.ts';

const nameSuffixLetters = Array.from('bcdfghjklmnpqrstvwxz2456789');

/**
 * Creates an object as POST does: name from generateName, UID, creation time, generation, defaults, admission.
 * Throws StatusError: 404 no such namespace, 403 NamespaceTerminating, 409 AlreadyExists, 422 Invalid.
 */
export function createObject(
  context: Context,
  definition: ResourceDefinition,
  object: KubernetesObject,
  options: WriteOptions = {},
): Stored<KubernetesObject> {
  const { name = '', generateName = '', namespace = 'default' } = object.metadata ?? {};
  checkNamespace(context, definition, { namespace, name: name || generateName });
  const metadata = newMetadata(context, definition, object);
  const named: Stored<KubernetesObject> = {
    ...object,
    apiVersion: apiVersionOf(definition),
    kind: definition.kind,
    metadata,
  };
  const prepared = admit(context, definition, prepareForCreate(definition, named, options));
  validate(definition, prepared);
  options.admit?.({ operation: 'create', definition, name: metadata.name, next: prepared });
  if (context.store.find(resourceKey(definition))?.get(metadata.namespace, metadata.name) !== undefined)
    throw alreadyExists(definition, metadata.name);
  return options.dryRun === true ? unversioned(prepared) : commit(context, definition, prepared);
}

/** What is not stored has no version. */
function unversioned(object: Stored<KubernetesObject>): Stored<KubernetesObject> {
  const { resourceVersion: _, ...metadata } = object.metadata;
  return { ...object, metadata: metadata as StoredMeta };
}

function newMetadata(
  context: Context,
  definition: ResourceDefinition,
  { metadata = {} }: KubernetesObject,
): StoredMeta {
  const {
    namespace,
    deletionTimestamp: _,
    deletionGracePeriodSeconds: __,
    selfLink: ___,
    ...given
  } = metadata;
  if (given.resourceVersion !== undefined && given.resourceVersion !== '')
    throw unexplained('resourceVersion should not be set on objects to be created');
  return {
    ...given,
    ...(definition.namespaced && { namespace: namespace ?? 'default' }),
    name: nameOf(context, definition, given),
    uid: context.random.uuid(),
    resourceVersion: '',
    creationTimestamp: timestamp(context.clock.now()),
  };
}

/**
 * A generated name that is taken is drawn again, at most eight times in all, as maxNameGenerationCreateAttempts of k8s.io/apiserver has it
 * (https://kep.k8s.io/4420).
 */
function nameOf(
  context: Context,
  definition: ResourceDefinition,
  { name, generateName, namespace }: GivenName,
): string {
  if (name !== undefined && name !== '') return name;
  if (generateName === undefined) return '';
  const stored = context.store.find(resourceKey(definition));
  const place = definition.namespaced ? (namespace ?? 'default') : undefined;
  for (let left = 7; ; left -= 1) {
    const drawn = `${generateName}${Array.from({ length: 5 }, () => context.random.pick(nameSuffixLetters)).join('')}`;
    if (left === 0 || stored?.get(place, drawn) === undefined) return drawn;
  }
}

interface GivenName {
  readonly name?: string;
  readonly generateName?: string;
  readonly namespace?: string;
}

/** As the NamespaceLifecycle admission plugin: nothing new in a namespace that is absent or goes away. */
export function checkNamespace(
  { store }: Context,
  definition: ResourceDefinition,
  { namespace, name }: { readonly namespace?: string; readonly name: string },
): void {
  if (!definition.namespaced || namespace === undefined) return;
  const found = store.of('namespaces').get(undefined, namespace);
  if (found === undefined) throw notFound(definitionOf('namespaces'), namespace);
  if (found.metadata.deletionTimestamp === undefined) return;
  throw namespaceTerminating(definition, name, namespace);
}
