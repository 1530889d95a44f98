import { setTimeout as sleep } from 'node:timers/promises';
import type { FunctionRuntime } from '@drover/cloud-sandbox/lambda';
import { measure, type Outcome } from './measure.ts';
import { openStage, type Stage, type StagePlan } from './stage.ts';

const username = 'drover';

export interface DroverRun extends StagePlan {
  /** What befalls the world while nodes leave. */
  readonly meanwhile?: (stage: Stage) => Promise<void>;
}

/** The packaged functions, behind the queues of the sandbox. */
export async function drainWithDrover({ meanwhile, ...plan }: DroverRun): Promise<Outcome> {
  const stage = await openStage(plan);
  try {
    let trouble: Promise<void> | undefined;
    const begin = (): void => {
      stage.terminateAll();
      trouble = meanwhile?.(stage);
    };
    const outcome = await measure(stage, { username, begin });
    await trouble;
    return outcome;
  } finally {
    await stage.close();
  }
}

/** The API server goes for 30 s as soon as the first nodes are done with. */
export async function outage(stage: Stage): Promise<void> {
  const { apiServer } = stage.world.controlPlane;
  await stage.until(() => stage.calls.completions.size > 0);
  await apiServer.kill();
  await sleep(30_000);
  await apiServer.start();
}

/** The API server hangs for a minute as soon as the first nodes are done with: it accepts connections and answers nothing. */
export async function hang(stage: Stage): Promise<void> {
  const { apiServer } = stage.world.controlPlane;
  await stage.until(() => stage.calls.completions.size > 0);
  apiServer.pause();
  await sleep(60_000);
  apiServer.resume();
}

/** So many milliseconds after they began. */
const livesMilliseconds = [60, 120, 250, 500, 1000] as const;

/** Kills some of the first passes, each after another while; what they had in hand comes back when the queue shows it again. */
export function killingRuntime(runtime: FunctionRuntime): FunctionRuntime {
  const lives = [...livesMilliseconds];
  return {
    start: async (wiring) => {
      const environment = await runtime.start(wiring);
      if (wiring.name !== 'node-leaving') return environment;
      return {
        ...environment,
        invoke: async (invocation) => {
          const life = lives.shift();
          if (life !== undefined) setTimeout(() => environment.kill(), life);
          return await environment.invoke(invocation);
        },
      };
    },
  };
}
