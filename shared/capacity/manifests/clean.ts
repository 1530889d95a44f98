const quantityLists: ReadonlySet<string> = new Set(['requests', 'limits', 'overhead']);
const textMaps: ReadonlySet<string> = new Set(['labels', 'matchLabels', 'nodeSelector', 'annotations']);

/**
 * A parsed value as the API server reads it: a field that is null is missing, a label that is null is empty, and a quantity that is null is 0. Null in
 * a list stays, because it is an entry.
 */
export function withoutNulls(value: unknown, name?: string): unknown {
  if (Array.isArray(value)) return value.map((item) => (item === null ? null : withoutNulls(item)));
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value).flatMap(([key, field]): [string, unknown][] => {
    if (field !== null) return [[key, withoutNulls(field, key)]];
    if (name !== undefined && quantityLists.has(name)) return [[key, '0']];
    return name !== undefined && textMaps.has(name) ? [[key, '']] : [];
  });
  return Object.fromEntries(entries);
}
