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
