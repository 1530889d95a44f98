import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { zipSync } from 'fflate';
import type { FunctionWiring } from '../../../src/cloud/wiring.ts';
import { functionEnvironment } from '../../../src/lambda/environment.ts';
import { errorPayload, type InvocationOutcome } from '../../../src/lambda/invocation.ts';
import { createInvoker } from '../../../src/lambda/invoker.ts';
import type { FunctionRuntime } from '../../../src/lambda/runtime.ts';
import { createRandom } from '../../../src/simulation/random.ts';
import { createRealClock, type RealClock } from '../../../src/simulation/real-clock.ts';

/** A Lambda to which functions are deployed, with a real or simulated runtime. */
export interface LambdaWorld {
  deploy(code: FunctionCode): Promise<DeployedFunction>;
}

export interface FunctionCode {
  /** `index.cjs`, or all files of the zip by their names. */
  readonly code: string | Readonly<Record<string, string>>;
  readonly handler?: string;
  readonly environment?: Readonly<Record<string, string>>;
  readonly timeoutSeconds?: number;
}

export interface DeployedFunction {
  invoke(event?: unknown): Promise<Answer>;
  /** Ends its processes. Resolves with all lines that they wrote. */
  end(): Promise<readonly string[]>;
}

/** The answer to a synchronous invocation. */
export type Answer =
  | { readonly result: unknown }
  | { readonly error: { errorType: string; errorMessage: string; trace?: readonly string[] } };

/** What a world has of its own. */
export type RuntimeFor = (parts: {
  readonly environmentFor: (wiring: FunctionWiring) => Readonly<Record<string, string>>;
  readonly clock: RealClock;
  readonly onLine: (wiring: FunctionWiring, line: string) => void;
}) => { readonly runtime: FunctionRuntime; readonly close: () => Promise<void> };

const region = 'eu-west-1';
const credentials = { accessKeyId: 'AKIATEST', secretAccessKey: 'secret', sessionToken: 'token' };

export const lambdaWorld = (runtimeFor: RuntimeFor): LambdaWorld => ({
  deploy: async ({ code, handler = 'index.handler', environment = {}, timeoutSeconds = 10 }) => {
    const directory = await mkdtemp(join(tmpdir(), 'drover-lambda-'));
    const artifact = join(directory, 'function.zip');
    await writeFile(artifact, zipOf(typeof code === 'string' ? { 'index.cjs': code } : code));
    const clock = createRealClock({ speed: 1 });
    clock.start();
    const lines: string[] = [];
    const environmentFor = (called: FunctionWiring) =>
      functionEnvironment({ wiring: called, region, credentials });
    const { runtime, close } = runtimeFor({ environmentFor, clock, onLine: (_, line) => lines.push(line) });
    const invoker = createInvoker({ clock, random: createRandom(7), runtime });
    const wiring: FunctionWiring = { ...aFunction, artifact, handler, environment, timeoutSeconds };
    return {
      invoke: async (event = {}) => answerOf(await invoker.invoke(wiring, event)),
      end: async () => {
        invoker.recycle();
        await close();
        clock.stop();
        await rm(directory, { recursive: true });
        return lines;
      },
    };
  },
});

const aFunction: FunctionWiring = {
  name: 'worker',
  functionName: 'drover-worker',
  functionArn: `arn:aws:lambda:${region}:123456789012:function:drover-worker`,
  roleArn: 'arn:aws:iam::123456789012:role/drover-worker',
  artifact: '',
  handler: '',
  environment: {},
  timeoutSeconds: 10,
  memoryMegabytes: 512,
  recursiveLoop: 'Terminate',
  asynchronous: { maximumRetryAttempts: 0, maximumEventAgeSeconds: 60 },
};

const zipOf = (files: Readonly<Record<string, string>>): Uint8Array =>
  zipSync(Object.fromEntries(Object.entries(files).map(([name, text]) => [name, Buffer.from(text)])));

function answerOf(outcome: InvocationOutcome): Answer {
  if (outcome.kind === 'succeeded') return { result: outcome.result };
  const error = errorPayload(outcome);
  if (!error) throw new Error(`the function was not called: ${outcome.kind}`);
  return { error };
}
