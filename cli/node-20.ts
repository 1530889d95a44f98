/**
 * What our code may use of ES2024 (`lib` in tsconfig.json) and Node 20 lacks, and `URL.parse`: functions run on Node 24, the packed CLI on 20
 * as well. Imported before everything else; changes nothing where Node has them.
 */
export function withResolvers<Value>(): PromiseWithResolvers<Value> {
  let settle: Pick<PromiseWithResolvers<Value>, 'resolve' | 'reject'> | undefined;
  const promise = new Promise<Value>((resolve, reject) => {
    settle = { resolve, reject };
  });
  if (!settle) throw new TypeError('a promise calls its executor at once');
  return { promise, ...settle };
}

export function groupBy<Key, Item>(
  items: Iterable<Item>,
  keyOf: (item: Item, index: number) => Key,
): Map<Key, Item[]> {
  const groups = new Map<Key, Item[]>();
  let index = 0;
  for (const item of items) {
    const key = keyOf(item, index);
    index += 1;
    const group = groups.get(key);
    if (group) group.push(item);
    else groups.set(key, [item]);
  }
  return groups;
}

/** As `Object.groupBy`: the groups have no prototype. */
export const groupsByName = <Key extends PropertyKey, Item>(
  items: Iterable<Item>,
  keyOf: (item: Item, index: number) => Key,
): Partial<Record<Key, Item[]>> =>
  Object.assign(Object.create(null) as object, Object.fromEntries(groupBy(items, keyOf)));

export const parse: typeof URL.parse = (url, base) => (URL.canParse(url, base) ? new URL(url, base) : null);

/** A property that exists stays as it is. */
const missing = (target: object, properties: Readonly<Record<string, unknown>>): void => {
  for (const [name, value] of Object.entries(properties))
    if (!(name in target)) Object.defineProperty(target, name, { value, writable: true, configurable: true });
};

missing(Promise, { withResolvers });
missing(Map, { groupBy });
missing(Object, { groupBy: groupsByName });
missing(URL, { parse });
