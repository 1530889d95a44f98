/** Holds back what needs something that is not there yet, and lets nothing through once it is gone. */
export interface Gate<Thing> {
  pass(task: (thing: Thing) => void): void;
  /** What has waited goes first, in its order. */
  open(thing: Thing): void;
  close(): void;
}

export function createGate<Thing>(): Gate<Thing> {
  const waiting: ((thing: Thing) => void)[] = [];
  let state: 'shut' | 'closed' | { readonly thing: Thing } = 'shut';
  return {
    pass: (task) => {
      if (state === 'shut') waiting.push(task);
      else if (state !== 'closed') task(state.thing);
    },
    open: (thing) => {
      state = { thing };
      for (const task of waiting.splice(0)) task(thing);
    },
    close: () => {
      state = 'closed';
    },
  };
}
