import type { ObjectMeta } from 'kubernetes-types/meta/v1.d.ts';

/** Any object of the API as it travels: the fields of its kind are beside these. */
export interface KubernetesObject {
  readonly apiVersion?: string;
  readonly kind?: string;
  readonly metadata?: ObjectMeta;
  readonly spec?: unknown;
  readonly status?: unknown;
}

/** What the API server itself has given to every object that it stores. */
export interface StoredMeta extends ObjectMeta {
  readonly name: string;
  readonly uid: string;
  readonly resourceVersion: string;
  readonly creationTimestamp: string;
}

/** An object as the store has it. It is never changed in place: a write puts another object there. */
export type Stored<T> = Omit<T, 'metadata'> & { readonly metadata: StoredMeta };

/** `namespace/name`, or `/name` for what has no namespace: sorts as etcd's keys do. */
export function objectKey(namespace: string | undefined, name: string): string {
  return `${namespace ?? ''}/${name}`;
}

export function keyOf(object: { readonly metadata?: ObjectMeta }): string {
  return objectKey(object.metadata?.namespace, object.metadata?.name ?? '');
}

/** The reference that says which controller made this object, if one did. */
export function controllerOf(object: { readonly metadata?: ObjectMeta }) {
  return object.metadata?.ownerReferences?.find((reference) => reference.controller === true);
}

/** RFC 3339 with whole seconds, as metav1.Time is written. */
export function timestamp(milliseconds: number): string {
  return `${new Date(Math.floor(milliseconds / 1000) * 1000).toISOString().slice(0, 19)}Z`;
}

/** RFC 3339 with microseconds, as metav1.MicroTime is written. */
export function microTimestamp(milliseconds: number): string {
  return new Date(milliseconds).toISOString().replace('Z', '000Z');
}
