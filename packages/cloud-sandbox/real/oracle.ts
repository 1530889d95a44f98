import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';

/** A program that answers each line of JSON with a line of JSON, in order. */
export interface Oracle {
  /** Rejects if the program ends without an answer. */
  ask(question: unknown): Promise<unknown>;
  stop(): Promise<void>;
}

interface Waiting {
  readonly answer: (line: unknown) => void;
  readonly fail: (error: Error) => void;
}

/** Starts the program at once. The caller stops it at the end. */
export function startOracle(command: string, options: readonly string[]): Oracle {
  const child = spawn(command, options, { stdio: ['pipe', 'pipe', 'pipe'] });
  const waiting: Waiting[] = [];
  const fail = failAll(command, child, waiting);
  createInterface({ input: child.stdout }).on('line', (line) => waiting.shift()?.answer(JSON.parse(line)));
  child.on('error', fail);
  child.on('close', () => fail());
  child.stdin.on('error', fail);
  return {
    ask: (question) =>
      new Promise((answer, reject) => {
        if (child.exitCode !== null) return reject(new Error(`${command} has ended`));
        waiting.push({ answer, fail: reject });
        child.stdin.write(`${JSON.stringify(question)}\n`);
      }),
    stop: async () => {
      const ended = once(child, 'close');
      child.stdin.end();
      if (child.exitCode === null) await ended;
    },
  };
}

/** Rejects all open questions, with what the program wrote to stderr as the reason. */
function failAll(command: string, child: ChildProcess, waiting: Waiting[]): (cause?: Error) => void {
  let complaint = '';
  child.stderr?.on('data', (text: Buffer) => {
    complaint = `${complaint}${text.toString()}`.slice(-2000);
  });
  return (cause) => {
    for (const one of waiting.splice(0))
      one.fail(new Error(`${command} gave no answer: ${complaint}`, { cause }));
  };
}
