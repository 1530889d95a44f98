import { isDeepStrictEqual } from 'node:util';
import type { FieldPath } from './fields.ts';
import { isObject, type JsonObject } from './json.ts';

function isAddressed(item: unknown, step: string): boolean {
  const wanted: unknown = JSON.parse(step.slice(2));
  if (step.startsWith('v:')) return isDeepStrictEqual(item, wanted);
  return (
    isObject(item) && isObject(wanted) && Object.entries(wanted).every(([key, value]) => item[key] === value)
  );
}

/** The value at a path of fieldsV1; undefined when there is none. */
export function valueAt(object: unknown, [step, ...rest]: FieldPath): unknown {
  if (step === undefined) return object;
  if (step.startsWith('f:')) return isObject(object) ? valueAt(object[step.slice(2)], rest) : undefined;
  return Array.isArray(object)
    ? valueAt(
        object.find((item) => isAddressed(item, step)),
        rest,
      )
    : undefined;
}

/** The object without what is at the path; an item of a list goes when only its key is left of it. */
export function removePath(object: unknown, [step, ...rest]: FieldPath): unknown {
  if (step === undefined) return object;
  if (step.startsWith('f:')) return isObject(object) ? removeField(object, step.slice(2), rest) : object;
  if (!Array.isArray(object)) return object;
  return object.flatMap((item) => {
    if (!isAddressed(item, step)) return [item];
    const left = rest.length === 0 ? undefined : removePath(item, rest);
    return left === undefined || (isObject(left) && Object.keys(left).length === 0) ? [] : [left];
  });
}

function removeField(object: JsonObject, name: string, rest: FieldPath): JsonObject {
  const { [name]: value, ...others } = object;
  if (value === undefined || rest.length === 0) return others;
  const left = removePath(value, rest);
  const empty =
    (Array.isArray(left) && left.length === 0) || (isObject(left) && Object.keys(left).length === 0);
  return empty ? others : { ...object, [name]: left };
}
