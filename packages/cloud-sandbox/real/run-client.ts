import { spawn } from 'node:child_process';
import { setTimeout as sleep } from 'node:timers/promises';

/** A third-party program that has exited. */
export interface Ended {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

export interface ClientCommand {
  readonly command: string;
  readonly options: readonly string[];
  /** Its whole environment, besides PATH. */
  readonly environment: Readonly<Record<string, string>>;
  /** Its standard input. */
  readonly input?: string;
  /** After this time it gets a signal to end, as by Ctrl-C. */
  readonly timeoutSeconds?: number;
}

/** Starts a program as you would at a terminal, and waits for its end. */
export const runClient = (command: ClientCommand): Promise<Ended> => startClient(command).ended;

/** A program that is still running: its output so far, and its end. */
export interface RunningClient {
  readonly said: () => string;
  /** Resolves once its output matches `pattern`; rejects if it does not within `withinSeconds`. */
  readonly says: (pattern: RegExp, withinSeconds?: number) => Promise<void>;
  readonly ended: Promise<Ended>;
  readonly interrupt: () => Promise<Ended>;
}

export function startClient({
  command,
  options,
  environment,
  input = '',
  // The limit is for programs that hang. A program of two minutes may take five on a busy machine.
  timeoutSeconds = 600,
}: ClientCommand): RunningClient {
  const child = spawn(command, options, { env: { PATH: process.env['PATH'], ...environment } });
  const texts = { stdout: '', stderr: '' };
  for (const name of ['stdout', 'stderr'] as const)
    child[name].on('data', (chunk: Buffer) => {
      texts[name] += chunk.toString();
    });
  // The program may exit before it has read all of its input.
  child.stdin.on('error', () => undefined);
  child.stdin.end(input);
  const patience = setTimeout(() => child.kill('SIGINT'), timeoutSeconds * 1000);
  const ended = new Promise<Ended>((resolve, reject) => {
    child.once('error', reject);
    child.once('close', (code) => {
      clearTimeout(patience);
      resolve({ code: code ?? -1, ...texts });
    });
  });
  return {
    said: () => texts.stdout,
    says: async (pattern, withinSeconds = 60) => {
      for (let tries = withinSeconds * 20; !pattern.test(texts.stdout); tries -= 1) {
        if (tries === 0) throw new Error(`it did not say ${pattern}, but: ${texts.stdout}${texts.stderr}`);
        await sleep(50);
      }
    },
    ended,
    interrupt: () => {
      child.kill('SIGINT');
      return ended;
    },
  };
}
