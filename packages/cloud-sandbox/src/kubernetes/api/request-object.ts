import type { KubernetesObject } from '../store/object.ts';
import { parseBody, parseObject } from './body.ts';
import { badRequest } from './errors.ts';
import { checkKind } from './kind-check.ts';
import { checkUnknown, withKnownFields } from './known-fields.ts';
import type { ResourceCall } from './resource-requests.ts';
import { checkShape } from './shapes.ts';

export interface RequestObject {
  readonly object: KubernetesObject;
  /** The `Warning` header for fields that were left out. */
  readonly warning: string | undefined;
}

/** The object in the body, of the kind and in the namespace of the path. Throws 400 when it says another, 415. */
export function requestObject({ request, route }: ResourceCall): RequestObject {
  const { definition, query } = route;
  const body = parseBody(request.body, request.headers['content-type'], definition.kind);
  const parsed = parseObject(body, definition);
  checkKind(definition, parsed);
  const { object, warnings } = withKnownFields(definition, parsed);
  const warning = checkUnknown(definition, warnings, query.get('fieldValidation'));
  checkShape(definition, object);
  return { object: inNamespace(object, route.namespace), warning };
}

/** Throws 400 for an object of another namespace than the path is of. */
export function inNamespace(object: KubernetesObject, namespace: string | undefined): KubernetesObject {
  if (namespace === undefined) return object;
  const given = object.metadata?.namespace ?? '';
  if (given !== '' && given !== namespace) throw otherNamespace();
  return { ...object, metadata: { ...object.metadata, namespace } };
}

export const otherNamespace = () =>
  badRequest('the namespace of the provided object does not match the namespace sent on the request');
