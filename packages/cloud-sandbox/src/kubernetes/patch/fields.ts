import { isObject, type JsonObject, objectsOf } from './json.ts';
import { isMergedSet, mergeKeyOf } from './merge-keys.ts';

/** Steps of a field's path as fieldsV1 writes them: `f:name`, `k:{"name":"x"}`, `v:"value"`. */
export type FieldPath = readonly string[];

const identity: ReadonlySet<string> = new Set(['apiVersion', 'kind']);
const identityOfMetadata: ReadonlySet<string> = new Set([
  'name',
  'namespace',
  'creationTimestamp',
  'resourceVersion',
  'uid',
  'generation',
]);

/** The leaves that an applied configuration says, and the items of lists with a merge key; other lists are one leaf. */
export function fieldsOf(object: object): readonly FieldPath[] {
  return Object.entries(object).flatMap(([key, value]) => {
    if (identity.has(key) || key === 'status') return [];
    if (key !== 'metadata') return leaves([`f:${key}`], key, value);
    const metadata = Object.entries(value as object).filter(([field]) => !identityOfMetadata.has(field));
    return metadata.flatMap(([field, entry]) => leaves(['f:metadata', `f:${field}`], field, entry));
  });
}

function leaves(path: FieldPath, field: string, value: unknown): readonly FieldPath[] {
  if (Array.isArray(value)) return listLeaves(path, field, value);
  if (!isObject(value) || Object.keys(value).length === 0) return [path];
  return Object.entries(value).flatMap(([key, entry]) => leaves([...path, `f:${key}`], key, entry));
}

function listLeaves(path: FieldPath, field: string, values: readonly unknown[]): readonly FieldPath[] {
  if (isMergedSet(field)) return values.map((value) => [...path, `v:${JSON.stringify(value)}`]);
  const items = objectsOf(values);
  const mergeKey = mergeKeyOf(field, items);
  if (mergeKey === undefined || items.length === 0) return [path];
  return items.flatMap((item) => {
    const itemPath = [...path, keyStep(mergeKey, item)];
    return [itemPath, ...leaves(itemPath, '', item)];
  });
}

function keyStep(mergeKey: string, item: JsonObject): string {
  return `k:${JSON.stringify({ [mergeKey]: item[mergeKey] })}`;
}

/** Whether one of the paths is this one, or leads to it, or goes on from it. */
export function isCovered(path: FieldPath, paths: readonly FieldPath[]): boolean {
  return paths.some((other) => {
    const length = Math.min(path.length, other.length);
    return path.slice(0, length).every((step, position) => step === other[position]);
  });
}

/** As conflict messages write a path: `spec.template.spec.containers[name="x"].image`. */
export function pathText(path: FieldPath): string {
  return path
    .map((step) => {
      const value = step.slice(2);
      if (step.startsWith('f:')) return `.${value}`;
      if (step.startsWith('v:')) return `[=${value}]`;
      const [[key, entry] = ['', '']] = Object.entries(JSON.parse(value) as object);
      return `[${key}=${JSON.stringify(entry)}]`;
    })
    .join('')
    .slice(1);
}
