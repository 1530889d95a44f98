import type { StatusCause } from 'kubernetes-types/meta/v1.d.ts';
import { failure, type StatusError } from './status-error.ts';

interface Resource {
  readonly group: string;
  readonly plural: string;
}

function qualified({ group, plural }: Resource): string {
  return group === '' ? plural : `${plural}.${group}`;
}

export function notFound(resource: Resource, name: string): StatusError {
  return failure({
    code: 404,
    reason: 'NotFound',
    message: `${qualified(resource)} "${name}" not found`,
    resource,
    name,
  });
}

/** The path names nothing that this server has. */
export function noSuchResource(): StatusError {
  return failure({
    code: 404,
    reason: 'NotFound',
    message: 'the server could not find the requested resource',
    hasEmptyDetails: true,
  });
}

export function alreadyExists(resource: Resource, name: string): StatusError {
  return failure({
    code: 409,
    reason: 'AlreadyExists',
    message: `${qualified(resource)} "${name}" already exists`,
    resource,
    name,
  });
}

export function conflict(resource: Resource, name: string, why: string): StatusError {
  return failure({
    code: 409,
    reason: 'Conflict',
    message: `Operation cannot be fulfilled on ${qualified(resource)} "${name}": ${why}`,
    resource,
    name,
  });
}

/** The answer to a deletion whose precondition does not hold. It names the kind; other answers name the resource. */
export function preconditionFailed(
  { group, kind }: { readonly group: string; readonly kind: string },
  name: string,
  why: string,
): StatusError {
  return conflict({ group, plural: kind }, name, why);
}

/** The answer to an update with an old resourceVersion. */
export function modified(resource: Resource, name: string): StatusError {
  return conflict(
    resource,
    name,
    'the object has been modified; please apply your changes to the latest version and try again',
  );
}

export function badRequest(message: string): StatusError {
  return failure({ code: 400, reason: 'BadRequest', message });
}

export function forbidden(resource: Resource, name: string, why: string): StatusError {
  const subject = name === '' ? qualified(resource) : `${qualified(resource)} "${name}"`;
  return failure({
    code: 403,
    reason: 'Forbidden',
    message: `${subject} is forbidden: ${why}`,
    resource,
    name,
  });
}

/** From admission, while its namespace goes away. */
export function namespaceTerminating(resource: Resource, name: string, namespace: string): StatusError {
  return failure({
    code: 403,
    reason: 'Forbidden',
    message: `${qualified(resource)} "${name}" is forbidden: unable to create new content in namespace ${namespace} because it is being terminated`,
    resource,
    name,
    causes: [
      {
        reason: 'NamespaceTerminating',
        message: `namespace ${namespace} is being terminated`,
        field: 'metadata.namespace',
      },
    ],
  });
}

interface InvalidObject {
  readonly group: string;
  readonly kind: string;
  readonly name: string;
  readonly causes: readonly StatusCause[];
}

/** 422. A cause that is there twice is said once. */
export function invalid({ group, kind, name, causes }: InvalidObject): StatusError {
  const qualifiedKind = group === '' ? kind : `${kind}.${group}`;
  const problems = [...new Set(causes.map((cause) => `${cause.field ?? ''}: ${cause.message ?? ''}`))];
  const text = problems.length === 1 ? problems[0] : `[${problems.join(', ')}]`;
  return failure({
    code: 422,
    reason: 'Invalid',
    message: `${qualifiedKind} "${name}" is invalid: ${text}`,
    ...(kind === '' ? { group } : { resource: { group, plural: kind } }),
    name,
    causes,
  });
}

/** A watch or a continue token that is older than what the server remembers. */
export function expired(message: string): StatusError {
  return failure({ code: 410, reason: 'Expired', message });
}

export function methodNotAllowed(): StatusError {
  return failure({
    code: 405,
    reason: 'MethodNotAllowed',
    message: 'the server does not allow this method on the requested resource',
    hasEmptyDetails: true,
  });
}

const bodyTypes = ['application/json', 'application/yaml', 'application/vnd.kubernetes.protobuf'];

export function unsupportedMediaType(): StatusError {
  return failure({
    code: 415,
    reason: 'UnsupportedMediaType',
    message: `the body of the request was in an unknown format - accepted media types include: ${bodyTypes.join(', ')}`,
  });
}

/** A patch of an unknown type is refused before its handler runs, with a shorter message. */
export function unsupportedPatchType(): StatusError {
  return failure({
    code: 415,
    reason: 'UnsupportedMediaType',
    message: '415: Unsupported Media Type',
    hasEmptyDetails: true,
  });
}

export function notAcceptable(accepted: readonly string[] = bodyTypes): StatusError {
  const message = `only the following media types are accepted: ${accepted.join(', ')}`;
  return failure({ code: 406, reason: 'NotAcceptable', message });
}

/** None of the types that the client takes is one of the server's, whatever form they would have. */
export function noAcceptableType(): StatusError {
  return failure({
    code: 406,
    reason: 'NotAcceptable',
    message: `406: Not Acceptable\n\nAvailable representations: ${bodyTypes.join(', ')}`,
    hasEmptyDetails: true,
  });
}

/** A fault of the request that the real server does not tell from one of its own. */
export function unexplained(message: string): StatusError {
  return failure({ code: 500, message });
}

export function tooLargeVersion(version: number, current: number): StatusError {
  return failure({
    code: 504,
    reason: 'Timeout',
    message: `Timeout: Too large resource version: ${version}, current: ${current}`,
    causes: [{ reason: 'ResourceVersionTooLarge', message: 'Too large resource version' }],
    retryAfterSeconds: 1,
  });
}
