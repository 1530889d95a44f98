import { isObject, type JsonObject, objectsOf } from './json.ts';
import { isMergedSet, mergeKeyOf } from './merge-keys.ts';

/**
 * Strategic merge patch: as a merge patch, but lists with a merge key are merged item by item, and the directives
 * `$patch`, `$retainKeys`, `$deleteFromPrimitiveList/x` and `$setElementOrder/x` are obeyed.
 */
export function strategicMergePatch(target: unknown, patch: unknown): unknown {
  if (!isObject(patch)) return patch;
  if (patch['$patch'] === 'replace') return withoutDirectives(patch);
  if (patch['$patch'] === 'delete') return {};
  const merged: Record<string, unknown> = retained(isObject(target) ? target : {}, patch);
  for (const [key, value] of Object.entries(patch)) {
    if (key.startsWith('$deleteFromPrimitiveList/')) removeFromSet(merged, key, value);
    else if (key.startsWith('$')) continue;
    else if (value === null) delete merged[key];
    else merged[key] = mergeField(key, merged[key], value);
  }
  for (const [key, order] of Object.entries(patch)) {
    if (key.startsWith('$setElementOrder/')) sortBy(merged, key.slice('$setElementOrder/'.length), order);
  }
  return merged;
}

function mergeField(field: string, current: unknown, value: unknown): unknown {
  if (!Array.isArray(value)) return strategicMergePatch(current, value);
  if (isMergedSet(field)) return [...new Set([...(Array.isArray(current) ? current : []), ...value])];
  const mergeKey = mergeKeyOf(field, objectsOf(value).length > 0 ? objectsOf(value) : objectsOf(current));
  if (mergeKey === undefined) return value;
  return mergeList(objectsOf(current), objectsOf(value), mergeKey);
}

/** An entry that only says `$patch: replace` replaces the list; `$patch: delete` takes its item out. */
function mergeList(
  current: readonly JsonObject[],
  patches: readonly JsonObject[],
  mergeKey: string,
): readonly JsonObject[] {
  const replaces = patches.some((patch) => patch['$patch'] === 'replace' && !(mergeKey in patch));
  const merged = new Map(replaces ? [] : current.map((item) => [item[mergeKey], item]));
  for (const patch of patches) {
    const key = patch[mergeKey];
    if (key === undefined) continue;
    if (patch['$patch'] === 'delete') merged.delete(key);
    else merged.set(key, strategicMergePatch(merged.get(key) ?? {}, patch) as JsonObject);
  }
  return [...merged.values()];
}

function retained(target: JsonObject, patch: JsonObject): Record<string, unknown> {
  const keys = patch['$retainKeys'];
  if (!Array.isArray(keys)) return { ...target };
  return Object.fromEntries(Object.entries(target).filter(([key]) => keys.includes(key)));
}

function withoutDirectives(patch: JsonObject): JsonObject {
  return Object.fromEntries(Object.entries(patch).filter(([key]) => !key.startsWith('$')));
}

function removeFromSet(merged: Record<string, unknown>, directive: string, values: unknown): void {
  const field = directive.slice('$deleteFromPrimitiveList/'.length);
  const current = merged[field];
  if (!Array.isArray(current) || !Array.isArray(values)) return;
  merged[field] = current.filter((item) => !values.includes(item));
}

function sortBy(merged: Record<string, unknown>, field: string, order: unknown): void {
  const current = merged[field];
  if (!Array.isArray(current) || !Array.isArray(order)) return;
  const mergeKey = mergeKeyOf(field, objectsOf(current));
  const keyOf = (item: unknown): unknown =>
    mergeKey !== undefined && isObject(item) ? item[mergeKey] : item;
  const positions = new Map(order.map((item, position) => [keyOf(item), position]));
  const place = (item: unknown): number => positions.get(keyOf(item)) ?? order.length;
  merged[field] = current.toSorted((left, right) => place(left) - place(right));
}
