import { Worker } from 'node:worker_threads';
import type { FunctionWiring } from '../../cloud/wiring.ts';
import { exitError } from '../platform-errors.ts';
import type { ReportedError } from '../reported-error.ts';
import {
  type ExecutionEnvironment,
  FunctionError,
  type FunctionRuntime,
  type RuntimeInvocation,
} from '../runtime.ts';
import { type BundleCode, readBundle } from './bundle-code.ts';
import type { FromWorker, SimulatedTime, ToWorker, WorkerStart } from './messages.ts';
import { bundleWorker } from './worker-code.ts';

export interface WorkerRuntimeOptions {
  /** The environment variables of a new execution environment, with credentials of the function's role. */
  readonly environmentFor: (wiring: FunctionWiring) => Readonly<Record<string, string>>;
  /** The simulated time of this moment. */
  readonly time: () => SimulatedTime;
  readonly onLine?: (wiring: FunctionWiring, line: string) => void;
}

interface Pending {
  readonly resolve: (json: string) => void;
  readonly reject: (error: FunctionError) => void;
}

/** Runs packaged bundles, each execution environment in a thread of its own with its own environment variables. */
export function createWorkerRuntime(options: WorkerRuntimeOptions): FunctionRuntime {
  const bundles = new Map<string, Promise<BundleCode>>();
  let workerCode: Promise<string> | undefined;
  const bundleOf = (wiring: FunctionWiring): Promise<BundleCode> => {
    const bundle = bundles.get(wiring.functionName) ?? readBundle(wiring);
    bundles.set(wiring.functionName, bundle);
    return bundle;
  };
  return {
    start: async (wiring) => {
      const { functionArn } = wiring;
      workerCode ??= bundleWorker();
      const [code, bundle] = await Promise.all([workerCode, bundleOf(wiring)]);
      const start = { ...bundle, functionArn, time: options.time() };
      return startWorker(start, {
        code,
        env: options.environmentFor(wiring),
        onLine: (line) => options.onLine?.(wiring, line),
      });
    },
  };
}

interface WorkerParts {
  /** The script that it runs. */
  readonly code: string;
  readonly env: Readonly<Record<string, string>>;
  readonly onLine: (line: string) => void;
}

/** Resolves when the bundle is loaded; rejects with a FunctionError when it does not load. */
function startWorker(start: WorkerStart, { code, env, onLine }: WorkerParts): Promise<ExecutionEnvironment> {
  const worker = new Worker(code, {
    eval: true,
    workerData: start,
    env: { ...env },
    // Whatever bypasses the messages (a warning of Node) does not belong into the sandbox's own output.
    stderr: true,
  });
  // An environment that only waits must not keep the sandbox from ending.
  worker.unref();
  const pending = new Map<string, Pending>();
  const life = { ended: false };
  const end = (code: number): void => {
    life.ended = true;
    for (const [requestId, { reject }] of pending) reject(exitError(code, requestId));
    pending.clear();
  };
  const environment: ExecutionEnvironment = {
    invoke: (invocation) => invokeWorker(worker, pending, invocation),
    kill: () => {
      life.ended = true;
      void worker.terminate();
    },
    hasEnded: () => life.ended,
  };
  return new Promise((resolve, reject) => {
    // An uncaught error ends the process. Node writes it to stderr, which Lambda logs.
    worker.on('error', ({ stack = '' }: Error) => {
      for (const line of stack.split('\n')) onLine(line);
    });
    worker.on('exit', (code) => {
      end(code);
      reject(exitError(code));
    });
    worker.on('message', (message: FromWorker) => {
      if (message.kind === 'started') return resolve(environment);
      if (message.kind === 'line') return onLine(message.line);
      if (message.kind === 'failed' && message.requestId === undefined)
        return reject(functionError(message.error));
      return settle(pending, message);
    });
  });
}

function invokeWorker(
  port: Pick<Worker, 'postMessage'>,
  pending: Map<string, Pending>,
  invocation: RuntimeInvocation,
): Promise<string> {
  return new Promise((resolve, reject) => {
    pending.set(invocation.requestId, { resolve, reject });
    const message: ToWorker = { ...invocation };
    port.postMessage(message);
  });
}

function settle(
  pending: Map<string, Pending>,
  message: Extract<FromWorker, { kind: 'answered' | 'failed' }>,
): void {
  const waiting = pending.get(message.requestId ?? '');
  pending.delete(message.requestId ?? '');
  if (message.kind === 'answered') waiting?.resolve(message.json);
  else waiting?.reject(functionError(message.error));
}

const functionError = ({ errorMessage: message, ...about }: ReportedError): FunctionError =>
  new FunctionError({ ...about, message });
