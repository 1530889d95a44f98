import type { FunctionWiring, Wiring } from '@drover/cloud-sandbox';
import {
  createWorkerRuntime,
  type ExecutionEnvironment,
  type FunctionRuntime,
} from '@drover/cloud-sandbox/lambda';
import { createRealRuntime } from '@drover/cloud-sandbox/real/lambda/real-runtime.ts';
import { startEmbeddedSandbox } from '../../../scripts/invoke/embedded-sandbox.ts';
import { eventFor, queueOf } from '../../../scripts/invoke/event-for.ts';

/** The packaged functions, on one runtime, against a cloud of their own on real ports. */
export interface PackagedFunctions {
  /** Starts a function and invokes it with each of these texts: its answers, and all that it wrote. */
  run(name: string, texts: readonly string[]): Promise<PackagedRun>;
  /** What functions have sent by now: each queue's name, and its messages. In the inbox are the events of the cloud itself, in random order. */
  messages(): readonly string[];
  close(): Promise<void>;
}

interface PackagedRun {
  /** JSON, or what it failed with. */
  readonly answers: readonly string[];
  readonly lines: readonly string[];
}

/** `thread`: the sandbox's own runtime. `process`: AWS's. */
export async function openPackaged(wiring: Wiring, kind: 'thread' | 'process'): Promise<PackagedFunctions> {
  const sandbox = await startEmbeddedSandbox(wiring, 'drover');
  let lines: string[] = [];
  const parts = {
    environmentFor: sandbox.environmentFor,
    onLine: (_: FunctionWiring, line: string) => void lines.push(line),
  };
  const runtime = kind === 'process' ? createRealRuntime(parts) : inThread(parts);
  return {
    run: async (name, texts) => {
      const called = functionOf(wiring, name);
      const queue = queueOf(wiring, called);
      lines = [];
      const environment = await runtime.start(called);
      const answers: string[] = [];
      for (const text of texts) answers.push(await invoke(environment, eventFor(text, queue)));
      environment.kill();
      await runtime.close();
      return { answers, lines };
    },
    messages: () =>
      sandbox
        .messages()
        .filter(({ queueName }) => !queueName.includes('InboxQueue'))
        .flatMap(({ queueName, bodies }) => [queueName, ...bodies]),
    close: () => sandbox.close(),
  };
}

function inThread(parts: Omit<Parameters<typeof createWorkerRuntime>[0], 'time'>) {
  const time = () => ({ simulatedAt: Date.now(), realAt: Date.now(), speed: 1 });
  const runtime: FunctionRuntime = createWorkerRuntime({ ...parts, time });
  return { ...runtime, close: async () => {} };
}

const invoke = (environment: ExecutionEnvironment, event: unknown): Promise<string> =>
  environment
    .invoke({
      requestId: '3f0c2b1a-9d8e-4f70-a6b5-c4d3e2f10000',
      payload: JSON.stringify(event),
      deadline: Date.now() + 20_000,
      traceHeader: 'Root=1-691ed1c0-1a2b3c4d5e6f708192a3b4c5',
    })
    .catch((error: unknown) => JSON.stringify(String(error)));

function functionOf({ functions }: Wiring, name: string): FunctionWiring {
  const found = functions.find((one) => one.name === name);
  if (!found) throw new RangeError(`there is no function ${name}`);
  return found;
}
