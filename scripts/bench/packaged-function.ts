import { type ChildProcess, spawn } from 'node:child_process';
import { join, resolve } from 'node:path';
import * as z from 'zod/mini';

/** A packaged bundle in a process of its own, as in an execution environment of Lambda. */
export interface PackagedFunction {
  /** One invocation. Rejects with what the function threw, or when its process ends. */
  invoke(event: object): Promise<Invocation>;
  close(): void;
}

const invocationSchema = z.union([
  z.object({ result: z.unknown(), peakKilobytes: z.number() }),
  z.object({ error: z.string() }),
]);

interface Invocation {
  readonly result: unknown;
  /** The most memory that the process has had so far. */
  readonly peakKilobytes: number;
}

export function startPackaged(
  bundle: string,
  environment: Readonly<Record<string, string>>,
): PackagedFunction {
  const script = join(import.meta.dirname, 'children', 'pass.cjs');
  const child = spawn(process.execPath, [script, resolve(bundle)], {
    env: environment,
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  });
  return {
    invoke: async (event) => {
      child.send(event);
      const answer = invocationSchema.parse(await nextMessage(child));
      if ('error' in answer) throw new Error(answer.error);
      return answer;
    },
    close: () => void child.kill(),
  };
}

const nextMessage = (child: ChildProcess): Promise<unknown> =>
  new Promise((answer, reject) => {
    const end = (code: number | null): void => reject(new Error(`the function's process ended with ${code}`));
    child.once('exit', end);
    child.once('message', (message) => {
      child.off('exit', end);
      answer(message);
    });
  });
