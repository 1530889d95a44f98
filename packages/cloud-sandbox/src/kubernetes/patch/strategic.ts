import { unexplained } from '../api/errors.ts';
import { isObject, type JsonObject, objectsOf } from './json.ts';
import { isMergedSet, isReplaced, mergeKeyOf } from './merge-keys.ts';

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
  if (isReplaced(field, value)) return value;
  if (!Array.isArray(value)) return strategicMergePatch(current, value);
  const items: readonly unknown[] = Array.isArray(current) ? current : [];
  if (isMergedSet(field)) return inOrder(items, { patched: [...new Set(value)], keyOf: (item) => item });
  const mergeKey = mergeKeyOf(field, objectsOf(value).length > 0 ? objectsOf(value) : objectsOf(current));
  if (mergeKey === undefined) return value;
  return mergeList(objectsOf(current), objectsOf(value), mergeKey);
}

/** An entry that only says `$patch: replace` replaces the list; `$patch: delete` takes its item out. */
function mergeList(
  current: readonly JsonObject[],
  patches: readonly JsonObject[],
  mergeKey: string,
): readonly unknown[] {
  const isReplacing = (patch: JsonObject): boolean => patch['$patch'] === 'replace' && !(mergeKey in patch);
  const items = patches.some(isReplacing) ? [] : current;
  const keyed = patches.filter((patch) => !isReplacing(patch));
  const keyless = keyed.find((patch) => !(mergeKey in patch));
  if (keyless !== undefined) throw withoutKey(keyless, mergeKey);
  const isDeleted = (patch: JsonObject): boolean => patch['$patch'] === 'delete';
  const deleted = new Set(keyed.filter(isDeleted).map((patch) => patch[mergeKey]));
  const patched = keyed
    .filter((patch) => !isDeleted(patch))
    .map((patch) =>
      strategicMergePatch(items.find((item) => item[mergeKey] === patch[mergeKey]) ?? {}, patch),
    );
  const keyOf = (item: unknown): unknown => (isObject(item) ? item[mergeKey] : undefined);
  return inOrder(
    items.filter((item) => !deleted.has(item[mergeKey])),
    { patched, keyOf },
  );
}

function withoutKey(item: JsonObject, mergeKey: string) {
  const shown = Object.entries(item).map(([name, value]) => `${name}:${String(value)}`);
  return unexplained(`map: map[${shown.join(' ')}] does not contain declared merge key: ${mergeKey}`);
}

interface PatchedItems {
  readonly patched: readonly unknown[];
  readonly keyOf: (item: unknown) => unknown;
}

/**
 * Items that the patch does not say, put among those that it says: each before the first that came after it; new ones come
 * first. Source: mergeSortedSlice of apimachinery, pkg/util/strategicpatch.
 */
function inOrder(current: readonly unknown[], { patched, keyOf }: PatchedItems): readonly unknown[] {
  const places = new Map(current.map((item, place) => [keyOf(item), place]));
  const said = new Set(patched.map(keyOf));
  const left = current.filter((item) => !said.has(keyOf(item)));
  const merged: unknown[] = [];
  for (const item of patched) {
    const place = places.get(keyOf(item)) ?? -1;
    const after = left.findIndex((one) => (places.get(keyOf(one)) ?? 0) > place);
    merged.push(...left.splice(0, after < 0 ? left.length : after), item);
  }
  return [...merged, ...left];
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
