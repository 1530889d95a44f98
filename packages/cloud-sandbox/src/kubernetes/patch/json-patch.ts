import { isDeepStrictEqual } from 'node:util';
import { failure } from '../api/status-error.ts';
import { isObject, type JsonObject, objectsOf } from './json.ts';

/**
 * JSON patch (RFC 6902) of a document, as the library has it that the API server uses: what is not there is replaced all the
 * same, and tests as null. Throws 422, without a reason, for an operation that is none or does not apply.
 */
export function jsonPatch(target: unknown, operations: unknown): unknown {
  return objectsOf(operations).reduce<unknown>(apply, target);
}

function apply(document: unknown, operation: JsonObject): unknown {
  const path = pointer(operation['path']);
  switch (operation['op']) {
    case 'add':
      return write(document, path, { value: operation['value'], insert: true });
    case 'replace':
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
      if (isDeepStrictEqual(readOrNull(document, path), operation['value'] ?? null)) return document;
      throw refused();
    default:
      throw refused();
  }
}

function pointer(path: unknown): readonly string[] {
  if (typeof path !== 'string') throw refused();
  return path
    .split('/')
    .slice(1)
    .map((step) => step.replaceAll('~1', '/').replaceAll('~0', '~'));
}

const refused = () =>
  failure({
    code: 422,
    reason: 'Invalid',
    message: 'the server rejected our request due to an error in our request',
    hasEmptyDetails: true,
  });

/** The last step may lead nowhere. */
function readOrNull(document: unknown, path: readonly string[]): unknown {
  const last = path.at(-1);
  const holder = read(document, path.slice(0, -1));
  if (last === undefined) return holder;
  return isObject(holder) && !Object.hasOwn(holder, last) ? null : read(holder, [last]);
}

function read(document: unknown, path: readonly string[]): unknown {
  let value = document;
  for (const step of path) {
    const present = Array.isArray(value) || isObject(value);
    if (!present || !Object.hasOwn(value as object, step)) throw refused();
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
    if (!Number.isInteger(at) || at < 0 || at > document.length) throw refused();
    if (rest.length > 0) return document.with(at, write(document[at], rest, put));
    return document.toSpliced(at, put.insert ? 0 : 1, put.value);
  }
  if (!isObject(document)) throw refused();
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
