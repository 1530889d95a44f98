/** Holds callers back until a resource exists, and drops callers once it is gone. */
export interface Gate<Thing> {
  pass(task: (thing: Thing) => void): void;
  /** Runs the waiting callers first, in their order. */
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
