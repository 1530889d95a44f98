/** A call as the simulated cloud reports it; see `packages/cloud-sandbox/src/cloud/strike.ts`. */
interface Call {
  readonly to: string;
  readonly caller: string;
  readonly what: string;
}

/** These work for the node that leaves. Sweeps and rotations come by the clock, whether nodes leave or not. */
const forLeaves: readonly string[] = ['intake', 'heartbeats', 'node-leaving'];

/** Counts what these functions call, by function and operation. What Lambda itself calls to poll queues is not theirs. */
export function callLedger(counted = forLeaves) {
  const calls = new Map<string, number>();
  return {
    onCall: ({ to, caller, what }: Call): void => {
      if (to !== 'aws' || !counted.includes(caller)) return;
      const key = `${caller} ${what}`;
      calls.set(key, (calls.get(key) ?? 0) + 1);
    },
    reset: (): void => calls.clear(),
    /** Per node, the most frequent first. */
    awsCalls: (nodes: number): ReadonlyMap<string, number> =>
      new Map([...calls].map(([key, count]) => [key, count / nodes] as const).sort((a, b) => b[1] - a[1])),
  };
}

export const sumOf = (calls: ReadonlyMap<string, number>): number =>
  [...calls.values()].reduce((sum, count) => sum + count, 0);
