import { spawn } from 'node:child_process';
import { setTimeout as sleep } from 'node:timers/promises';

/** A program of others that was run to its end. */
export interface Ended {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

export interface ClientCommand {
  readonly command: string;
  readonly options: readonly string[];
  /** All that it sees beside PATH. */
  readonly environment: Readonly<Record<string, string>>;
  /** What it reads. */
  readonly input?: string;
  /** Then it is told to end, as by Ctrl-C. */
  readonly timeoutSeconds?: number;
}

/** Starts a program as a person at a terminal does, and waits for its end. */
export const runClient = (command: ClientCommand): Promise<Ended> => startClient(command).ended;

/** One that goes on: what it has said so far, and its end. */
export interface RunningClient {
  readonly said: () => string;
  /** Resolves once it has said that; rejects where it does not within `withinSeconds`. */
  readonly says: (pattern: RegExp, withinSeconds?: number) => Promise<void>;
  readonly ended: Promise<Ended>;
  readonly interrupt: () => Promise<Ended>;
}

export function startClient({
  command,
  options,
  environment,
  input = '',
  // It ends what hangs; a program of two minutes may take five on a busy machine.
  timeoutSeconds = 600,
}: ClientCommand): RunningClient {
  const child = spawn(command, options, { env: { PATH: process.env['PATH'], ...environment } });
  const texts = { stdout: '', stderr: '' };
  for (const name of ['stdout', 'stderr'] as const)
    child[name].on('data', (chunk: Buffer) => {
      texts[name] += chunk.toString();
    });
  // It may have ended before it has read all of it.
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
