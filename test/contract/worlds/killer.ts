import type { FunctionWiring } from '@drover/cloud-sandbox';
import type { ExecutionEnvironment, FunctionRuntime } from '@drover/cloud-sandbox/lambda';
import type { Random, SimulationClock } from '@drover/cloud-sandbox/simulation';

/** Ends functions in the middle of their work, as a failing machine does. */
export interface Killer {
  /** Kills that many of the next invocations of the function, each a moment after its first call to AWS. */
  readonly killNext: (functionName: string, count: number) => void;
  /** How many have been killed before they had answered. */
  readonly killed: () => number;
  readonly around: (runtime: FunctionRuntime) => FunctionRuntime;
  /** Must be called for every call that a function makes to AWS. */
  readonly onCall: () => void;
}

/** A pass makes its calls within so long. */
const longestMilliseconds = 60;

export function createKiller({
  clock,
  random,
}: {
  readonly clock: () => SimulationClock;
  readonly random: Random;
}): Killer {
  const left = new Map<string, number>();
  /** Environments to kill that have made no call yet. */
  const condemned = new Set<ExecutionEnvironment>();
  let killed = 0;

  const isNext = ({ name }: FunctionWiring): boolean => {
    const count = left.get(name) ?? 0;
    left.set(name, Math.max(0, count - 1));
    return count > 0;
  };
  const underWay = new Set<ExecutionEnvironment>();
  const kill = (environment: ExecutionEnvironment): void => {
    if (!underWay.has(environment)) return;
    killed += 1;
    environment.kill();
  };
  const mortal = (wiring: FunctionWiring, environment: ExecutionEnvironment): ExecutionEnvironment => ({
    ...environment,
    invoke: async (invocation) => {
      if (!isNext(wiring)) return await environment.invoke(invocation);
      condemned.add(environment);
      underWay.add(environment);
      try {
        return await environment.invoke(invocation);
      } finally {
        condemned.delete(environment);
        underWay.delete(environment);
      }
    },
  });
  return {
    killNext: (functionName, count) => void left.set(functionName, count),
    killed: () => killed,
    around: (runtime) => ({ start: async (wiring) => mortal(wiring, await runtime.start(wiring)) }),
    onCall: () => {
      for (const environment of condemned)
        clock().after(random.integer(1, longestMilliseconds), () => kill(environment));
      condemned.clear();
    },
  };
}
