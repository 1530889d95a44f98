/**
 * Runs the tasks of one key one after another, in the order in which they were added; tasks of other keys run beside them.
 * When a task fails, the tasks that wait behind it fail with the same error: they would meet the same API server.
 */
export type OneAtATime = <Value>(key: string, task: () => Promise<Value>) => Promise<Value>;

export function createOneAtATime(): OneAtATime {
  const last = new Map<string, Promise<unknown>>();
  return async (key, task) => {
    const mine = (last.get(key) ?? Promise.resolve()).then(task);
    last.set(key, mine);
    try {
      return await mine;
    } finally {
      if (last.get(key) === mine) last.delete(key);
    }
  };
}
