import type { Pod } from 'kubernetes-types/core/v1.d.ts';
import type { DeleteOptions } from 'kubernetes-types/meta/v1.d.ts';
import { preconditionFailed } from '../api/errors.ts';
import { type ResourceDefinition, resourceKey } from '../resources/definition.ts';
import { type KubernetesObject, type Stored, timestamp } from '../store/object.ts';
import { commit, remove } from './commit.ts';
import type { Context } from './context.ts';
import { holdsContent } from './update.ts';

export interface Deletion {
  /** The last state: marked for deletion, or as it was when it went. */
  readonly object: Stored<KubernetesObject>;
  readonly gone: boolean;
}

interface DeleteRequest {
  readonly definition: ResourceDefinition;
  readonly object: Stored<KubernetesObject>;
  readonly options: DeleteOptions;
  readonly dryRun?: boolean;
}

/**
 * Deletes an object as the generic registry does: preconditions, graceful deletion of pods (a later request may only
 * shorten the grace; whole-second stamps), finalizers. Throws 409 when a precondition does not hold.
 */
export function deleteObject(context: Context, request: DeleteRequest): Deletion {
  const { definition, object, options, dryRun = false } = request;
  checkPreconditions(definition, object, options);
  const marked = mark(context, request);
  if (marked === undefined) return { object, gone: false };
  const held = (marked.metadata.finalizers ?? []).length > 0 || holdsContent(definition, marked);
  if (held || (marked.metadata.deletionGracePeriodSeconds ?? 0) > 0)
    return { object: marked === object ? object : commit(context, definition, marked, dryRun), gone: false };
  if (!dryRun) remove(context, definition, marked);
  return { object: marked, gone: true };
}

/** The object with its deletion stamps; undefined when the deletion that is under way goes on as it is. */
function mark({ clock }: Context, request: DeleteRequest): Stored<KubernetesObject> | undefined {
  const { definition, object, options } = request;
  const { metadata } = object;
  const current = metadata.deletionGracePeriodSeconds;
  const asked = gracePeriodSeconds(definition, object, options);
  if (metadata.deletionTimestamp !== undefined) {
    if (current === undefined || options.gracePeriodSeconds === undefined) return undefined;
    if (asked >= current) return undefined;
    return shortened(withDependents(object, options), { asked, now: clock.now() });
  }
  const marked = stamped(withDependents(object, options), clock.now() + asked * 1000, asked);
  return resourceKey(definition) === 'namespaces' ? terminating(marked) : marked;
}

/** A Namespace has no grace, and says that it goes. */
function terminating({ metadata, ...object }: Stored<KubernetesObject>): Stored<KubernetesObject> {
  const { deletionGracePeriodSeconds: _, ...rest } = metadata;
  return { ...object, metadata: rest, status: { ...Object(object.status), phase: 'Terminating' } };
}

/** If the end would be in the past, it is now, with a second of grace, so that watchers still see the pod end. */
function shortened(
  object: Stored<KubernetesObject>,
  { asked, now }: { readonly asked: number; readonly now: number },
): Stored<KubernetesObject> {
  const { deletionTimestamp = '', deletionGracePeriodSeconds = 0 } = object.metadata;
  const end = Date.parse(deletionTimestamp) - (deletionGracePeriodSeconds - asked) * 1000;
  return end < now ? stamped(object, now, Math.min(1, asked)) : stamped(object, end, asked);
}

function stamped(object: Stored<KubernetesObject>, at: number, grace: number): Stored<KubernetesObject> {
  const { metadata } = object;
  const first = metadata.deletionTimestamp === undefined && (metadata.generation ?? 0) > 0;
  return {
    ...object,
    metadata: {
      ...metadata,
      ...(first && { generation: (metadata.generation ?? 0) + 1 }),
      deletionTimestamp: timestamp(at),
      deletionGracePeriodSeconds: grace,
    },
  };
}

/** Foreground deletion and orphaning are finalizers that the garbage collector takes away. */
function withDependents(object: Stored<KubernetesObject>, options: DeleteOptions): Stored<KubernetesObject> {
  const policy = options.propagationPolicy ?? (options.orphanDependents === true ? 'Orphan' : undefined);
  const finalizer = { Foreground: 'foregroundDeletion', Orphan: 'orphan' }[policy ?? ''];
  const finalizers = object.metadata.finalizers ?? [];
  if (finalizer === undefined || finalizers.includes(finalizer)) return object;
  return { ...object, metadata: { ...object.metadata, finalizers: [...finalizers, finalizer] } };
}

/** Only pods end gracefully; one that runs nowhere, or has finished, goes at once. */
function gracePeriodSeconds(
  definition: ResourceDefinition,
  object: Stored<KubernetesObject>,
  options: DeleteOptions,
): number {
  if (resourceKey(definition) !== 'pods') return 0;
  const { spec, status } = object as Stored<Pod>;
  if ((spec?.nodeName ?? '') === '' || status?.phase === 'Succeeded' || status?.phase === 'Failed') return 0;
  const grace = options.gracePeriodSeconds ?? spec?.terminationGracePeriodSeconds ?? 30;
  return grace < 0 ? 1 : grace;
}

/** Throws 409 where what is there is not what the caller means. */
export function checkPreconditions(
  definition: ResourceDefinition,
  { metadata }: Stored<KubernetesObject>,
  { preconditions }: DeleteOptions,
): void {
  const { uid, resourceVersion } = preconditions ?? {};
  if (uid !== undefined && uid !== metadata.uid)
    throw preconditionFailed(
      definition,
      metadata.name,
      `the UID in the precondition (${uid}) does not match the UID in record (${metadata.uid}). The object might have been deleted and then recreated`,
    );
  if (resourceVersion !== undefined && resourceVersion !== metadata.resourceVersion)
    throw preconditionFailed(
      definition,
      metadata.name,
      `the ResourceVersion in the precondition (${resourceVersion}) does not match the ResourceVersion in record (${metadata.resourceVersion}). The object might have been modified`,
    );
}
