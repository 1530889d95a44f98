/**
 * Joins single look-ups into few calls: keys requested in the same turn of the event loop share a call, so that ten concurrent
 * passes cost one DescribeInstances. `load` gets distinct keys, at most `limit` at a time; a key that it does not return is
 * undefined. If `load` rejects, every caller of that batch gets the error.
 */
export function batched<Key, Value>(options: {
  readonly limit: number;
  readonly load: (keys: readonly Key[]) => Promise<ReadonlyMap<Key, Value>>;
}): (key: Key) => Promise<Value | undefined> {
  let waiting: Map<Key, PromiseWithResolvers<Value | undefined>> | undefined;

  const flush = async (batch: ReadonlyMap<Key, PromiseWithResolvers<Value | undefined>>): Promise<void> => {
    const keys = [...batch.keys()];
    for (let start = 0; start < keys.length; start += options.limit) {
      const part = keys.slice(start, start + options.limit);
      try {
        const values = await options.load(part);
        for (const key of part) batch.get(key)?.resolve(values.get(key));
      } catch (error) {
        for (const key of part) batch.get(key)?.reject(error);
      }
    }
  };

  return (key) => {
    if (waiting === undefined) {
      const batch = new Map<Key, PromiseWithResolvers<Value | undefined>>();
      waiting = batch;
      setImmediate(() => {
        waiting = undefined;
        void flush(batch);
      });
    }
    const asked = waiting.get(key) ?? Promise.withResolvers<Value | undefined>();
    waiting.set(key, asked);
    return asked.promise;
  };
}

/** Runs calls for many items, at most `size` at a time, and gives every result in the order of the items. It never rejects. */
export async function inParts<Item, Result>(
  items: readonly Item[],
  size: number,
  call: (item: Item) => Promise<Result>,
): Promise<readonly PromiseSettledResult<Result>[]> {
  const results: PromiseSettledResult<Result>[] = [];
  for (let start = 0; start < items.length; start += size)
    results.push(...(await Promise.allSettled(items.slice(start, start + size).map(call))));
  return results;
}
