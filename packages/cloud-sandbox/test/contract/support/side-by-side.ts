/** Does all of the work, so many at a time, and brings what came of it in its order. */
export async function sideBySide<T, R>(
  items: readonly T[],
  workers: number,
  work: (item: T, index: number) => Promise<R>,
): Promise<readonly R[]> {
  const results: R[] = [];
  const waiting = items.entries();
  const workOn = async (): Promise<void> => {
    for (const [index, item] of waiting) results[index] = await work(item, index);
  };
  await Promise.all(Array.from({ length: workers }, workOn));
  return results;
}
