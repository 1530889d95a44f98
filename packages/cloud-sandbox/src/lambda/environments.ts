import type { FunctionWiring } from '../cloud/wiring.ts';
import type { Clock } from '../simulation/clock.ts';
import type { ExecutionEnvironment, FunctionRuntime } from './runtime.ts';

/** An execution environment that is kept between invocations. */
interface Kept {
  readonly environment: ExecutionEnvironment;
  readonly coldStart: boolean;
}

export interface Environments {
  /** An idle environment of the function, or a new one. */
  take(wiring: FunctionWiring): Promise<Kept>;
  giveBack(wiring: FunctionWiring, environment: ExecutionEnvironment): void;
  /** Ends every idle environment, so that the next invocations start cold. */
  recycle(): void;
}

/** Lambda says no number; some minutes is what is commonly seen. */
const idleMilliseconds = 10 * 60_000;

/** No environment lives as long as the session of twelve hours whose credentials it was started with. */
const lifeMilliseconds = 2 * 3_600_000;

/** The started functions: the one that was used last is used first, and those that idle for long are ended. */
export function createEnvironments(runtime: FunctionRuntime, clock: Clock): Environments {
  const idle = new Map<string, { readonly environment: ExecutionEnvironment; readonly since: number }[]>();
  const startedAt = new WeakMap<ExecutionEnvironment, number>();
  const start = async (wiring: FunctionWiring): Promise<ExecutionEnvironment> => {
    const environment = await runtime.start(wiring);
    startedAt.set(environment, clock.now());
    return environment;
  };
  const listOf = (functionName: string) => {
    const list = idle.get(functionName) ?? [];
    idle.set(functionName, list);
    return list;
  };
  const endOld = (list: ReturnType<typeof listOf>): void => {
    while (list[0] && clock.now() - list[0].since > idleMilliseconds) list.shift()?.environment.kill();
  };
  return {
    take: async (wiring) => {
      const list = listOf(wiring.functionName);
      endOld(list);
      let kept = list.pop();
      while (kept?.environment.hasEnded()) kept = list.pop();
      if (kept) return { environment: kept.environment, coldStart: false };
      return { environment: await start(wiring), coldStart: true };
    },
    giveBack: (wiring, environment) => {
      if (clock.now() - (startedAt.get(environment) ?? 0) > lifeMilliseconds) return environment.kill();
      listOf(wiring.functionName).push({ environment, since: clock.now() });
    },
    recycle: () => {
      for (const list of idle.values()) for (const { environment } of list.splice(0)) environment.kill();
    },
  };
}
