import { isDeepStrictEqual } from 'node:util';
import { badRequest } from '../api/errors.ts';
import { failure } from '../api/status-error.ts';
import { isObject, type JsonObject, objectsOf } from './json.ts';

/** JSON patch (RFC 6902) of a document. Throws 400 for an operation that is not one, 422 for one that does not apply. */
export function jsonPatch(target: unknown, operations: unknown): unknown {
  if (!Array.isArray(operations)) throw badRequest('a JSON patch is a list of operations');
  return objectsOf(operations).reduce<unknown>(apply, target);
}

function apply(document: unknown, operation: JsonObject): unknown {
  const path = pointer(operation['path']);
  switch (operation['op']) {
    case 'add':
      return write(document, path, { value: operation['value'], insert: true });
    case 'replace':
      read(document, path);
      return write(document, path, { value: operation['value'], insert: false });
    case 'remove':
      return removeAt(document, path);
    case 'copy':
      return write(document, path, { value: read(document, pointer(operation['from'])), insert: true });
    case 'move': {
      const from = pointer(operation['from']);
      return write(removeAt(document, from), path, { value: read(document, from), insert: true });
    }
    case 'test':
      if (isDeepStrictEqual(read(document, path), operation['value'])) return document;
      throw refused(`testing value ${path.join('/')} failed`);
    default:
      throw badRequest(`unexpected kind of JSON patch operation: ${String(operation['op'])}`);
  }
}

function pointer(path: unknown): readonly string[] {
  if (typeof path !== 'string') throw badRequest('a JSON patch operation has no path');
  return path
    .split('/')
    .slice(1)
    .map((step) => step.replaceAll('~1', '/').replaceAll('~0', '~'));
}

function refused(problem: string) {
  const message = `the server rejected our request due to an error in our request: ${problem}`;
  return failure({ code: 422, reason: 'Invalid', message });
}

function read(document: unknown, path: readonly string[]): unknown {
  let value = document;
  for (const step of path) {
    const present = Array.isArray(value) || isObject(value);
    if (!present || !Object.hasOwn(value as object, step)) throw refused(`no value at /${path.join('/')}`);
    value = Reflect.get(value as object, step);
  }
  return value;
}

interface Put {
  readonly value: unknown;
  readonly insert: boolean;
}

function write(document: unknown, path: readonly string[], put: Put): unknown {
  const [step, ...rest] = path;
  if (step === undefined) return put.value;
  if (Array.isArray(document)) {
    const at = step === '-' ? document.length : Number(step);
    if (!Number.isInteger(at) || at < 0 || at > document.length)
      throw refused(`no place ${step} in the list`);
    if (rest.length > 0) return document.with(at, write(document[at], rest, put));
    return document.toSpliced(at, put.insert ? 0 : 1, put.value);
  }
  if (!isObject(document)) throw refused(`no value to add ${step} to`);
  return { ...document, [step]: rest.length > 0 ? write(document[step], rest, put) : put.value };
}

function removeAt(document: unknown, path: readonly string[]): unknown {
  read(document, path);
  const [step = '', ...rest] = path;
  if (Array.isArray(document)) {
    if (rest.length > 0) return document.with(Number(step), removeAt(document[Number(step)], rest));
    return document.toSpliced(Number(step), 1);
  }
  const { [step]: value, ...others } = document as JsonObject;
  return rest.length > 0 ? { ...others, [step]: removeAt(value, rest) } : others;
}
