import type { FunctionWiring } from '../../src/cloud/wiring.ts';
import { exitError, responseTooLarge } from '../../src/lambda/platform-errors.ts';
import type { ReportedError } from '../../src/lambda/reported-error.ts';
import { type ExecutionEnvironment, FunctionError, type FunctionRuntime } from '../../src/lambda/runtime.ts';
import type { RuntimeCall } from './runtime-api.ts';
import { type RuntimeProcess, startRuntime } from './runtime-process.ts';

export interface RealRuntimeOptions {
  readonly environmentFor: (wiring: FunctionWiring) => Readonly<Record<string, string>>;
  readonly onLine: (wiring: FunctionWiring, line: string) => void;
}

/** AWS's own runtime as the sandbox's: where the sandbox has a thread, this has a process with aws-lambda-ric in it. */
export interface RealRuntime extends FunctionRuntime {
  /** Ends every process that was started. */
  readonly close: () => Promise<void>;
}

export function createRealRuntime(options: RealRuntimeOptions): RealRuntime {
  const processes = new Set<RuntimeProcess>();
  return {
    start: (wiring) => startEnvironment(wiring, { ...options, onStart: (running) => processes.add(running) }),
    close: async () => {
      for (const { kill } of processes) kill();
      await Promise.all([...processes].map(({ ended }) => ended));
    },
  };
}

interface Waiting<Value> {
  readonly resolve: (value: Value) => void;
  readonly reject: (error: FunctionError) => void;
}

/** Resolves when it asks for its first invocation; rejects with the error that it reports instead. */
async function startEnvironment(
  wiring: FunctionWiring,
  options: RealRuntimeOptions & { readonly onStart: (running: RuntimeProcess) => void },
): Promise<ExecutionEnvironment> {
  const life = { ended: false };
  const pending = new Map<string, Waiting<string>>();
  let started: Waiting<void> | undefined;
  const start = new Promise<void>((resolve, reject) => {
    started = { resolve, reject };
  });
  const onCall = (call: RuntimeCall): void => {
    if (call.kind === 'next') return started?.resolve();
    if (call.kind === 'init-error') return started?.reject(reportedIn(call.body));
    const waiting = pending.get(call.requestId);
    pending.delete(call.requestId);
    if (call.status === 413) return waiting?.reject(responseTooLarge());
    if (call.kind === 'response') return waiting?.resolve(call.body);
    return waiting?.reject(reportedIn(call.body));
  };
  const onEnd = (code: number): void => {
    life.ended = true;
    started?.reject(exitError(code));
    for (const [requestId, { reject }] of pending) reject(exitError(code, requestId));
  };
  const environment = options.environmentFor(wiring);
  const onLine = (line: string): void => options.onLine(wiring, line);
  const running = await startRuntime({ wiring, environment, onCall, onLine });
  options.onStart(running);
  void running.ended.then(onEnd);
  await start;
  return {
    invoke: (invocation) =>
      new Promise((resolve, reject) => {
        pending.set(invocation.requestId, { resolve, reject });
        running.hand(invocation);
      }),
    kill: () => {
      life.ended = true;
      running.kill();
    },
    hasEnded: () => life.ended,
  };
}

function reportedIn(body: string): FunctionError {
  const { errorType, errorMessage: message, trace } = JSON.parse(body) as ReportedError;
  return new FunctionError({ errorType, message, trace });
}
