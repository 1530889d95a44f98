import { expect } from 'vitest';
import type { Answer } from './world.ts';

interface Refusal {
  readonly code: number;
  readonly reason?: string;
  readonly message: string | RegExp;
  readonly details?: object;
}

/** The answer is this refusal: the whole Status, not only its code. */
export function expectRefusal(answer: Answer, { code, reason, message, details }: Refusal): void {
  expect(answer.status, answer.text).toBe(code);
  expect(answer.body).toEqual({
    kind: 'Status',
    apiVersion: 'v1',
    metadata: {},
    status: 'Failure',
    message: typeof message === 'string' ? message : expect.stringMatching(message),
    ...(reason !== undefined && { reason }),
    ...(details !== undefined && { details }),
    code,
  });
}

export const causeOf = (reason: string, field: string, message: string) => ({ reason, message, field });
export const required = (field: string, message = 'Required value') =>
  causeOf('FieldValueRequired', field, message);
export const invalid = (field: string, message: string) =>
  causeOf('FieldValueInvalid', field, `Invalid value: ${message}`);
export const forbidden = (field: string, message: string) =>
  causeOf('FieldValueForbidden', field, `Forbidden: ${message}`);
export const unsupported = (field: string, message: string) =>
  causeOf('FieldValueNotSupported', field, `Unsupported value: ${message}`);

interface InvalidObject {
  readonly kind: string;
  readonly group?: string;
  readonly name?: string;
  readonly causes: readonly ReturnType<typeof causeOf>[];
}

/** 422 Invalid with these causes, and the message that is made of them. */
export function expectInvalid(answer: Answer, { kind, group, name = '', causes }: InvalidObject): void {
  const texts = [...new Set(causes.map(({ field, message }) => `${field}: ${message}`))];
  const qualified = group === undefined ? kind : `${kind}.${group}`;
  expectRefusal(answer, {
    code: 422,
    reason: 'Invalid',
    message: `${qualified} "${name}" is invalid: ${texts.length === 1 ? texts[0] : `[${texts.join(', ')}]`}`,
    details: { ...(name !== '' && { name }), ...(group !== undefined && { group }), kind, causes },
  });
}

export const expectBadRequest = (answer: Answer, message: string | RegExp): void =>
  expectRefusal(answer, { code: 400, reason: 'BadRequest', message });

export const expectMethodNotAllowed = (answer: Answer): void =>
  expectRefusal(answer, {
    code: 405,
    reason: 'MethodNotAllowed',
    message: 'the server does not allow this method on the requested resource',
    details: {},
  });

/** The path names nothing that the server has. */
export const expectNoSuchResource = (answer: Answer): void =>
  expectRefusal(answer, {
    code: 404,
    reason: 'NotFound',
    message: 'the server could not find the requested resource',
    details: {},
  });

export const expectNotFound = (answer: Answer, kind: string, name: string): void =>
  expectRefusal(answer, {
    code: 404,
    reason: 'NotFound',
    message: `${kind} "${name}" not found`,
    details: { name, kind },
  });

export const expectConflict = (answer: Answer, kind: string, name: string, why: string): void =>
  expectRefusal(answer, {
    code: 409,
    reason: 'Conflict',
    message: `Operation cannot be fulfilled on ${kind} "${name}": ${why}`,
    details: { name, kind },
  });

/** `Status: Success` of an operation that answers with no object. */
export const expectSuccess = (answer: Answer, details?: object): void =>
  expect(answer.body).toEqual({
    kind: 'Status',
    apiVersion: 'v1',
    metadata: {},
    status: 'Success',
    ...(details !== undefined && { details }),
  });
