/**
 * Lets the work of one key wait for what was begun under it before; other keys go their own ways. Where that rejects, who waits
 * behind it rejects with it: it was the same API server that did not answer.
 */
export type InTurn = <Value>(key: string, work: () => Promise<Value>) => Promise<Value>;

export function createTurns(): InTurn {
  const last = new Map<string, Promise<unknown>>();
  return async (key, work) => {
    const mine = (last.get(key) ?? Promise.resolve()).then(work);
    last.set(key, mine);
    try {
      return await mine;
    } finally {
      if (last.get(key) === mine) last.delete(key);
    }
  };
}
