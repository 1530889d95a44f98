import { spawn } from 'node:child_process';
import { appendFileSync, closeSync, openSync, readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';

export interface ProcessOptions {
  /** For error messages. */
  readonly name: string;
  readonly command: string;
  readonly options: readonly string[];
  /** Its output goes there. */
  readonly logFile: string;
  /** Added to the environment of this process. */
  readonly environment?: Readonly<Record<string, string>>;
}

/** A third-party program as a child of this process; it does not outlive this process. */
export interface RunningProcess {
  readonly pid: number;
  /** How it ended: `exit code 1`, `signal SIGKILL`. */
  readonly exited: Promise<string>;
  readonly hasExited: () => boolean;
  /** The last lines that it wrote. */
  lastWords(): string;
  /** SIGTERM, then SIGKILL if it has not exited after `graceMilliseconds`; resolves when it is gone. */
  stop(graceMilliseconds?: number): Promise<void>;
  /** SIGKILL. */
  kill(): Promise<void>;
}

const children = new Set<() => void>();
process.on('exit', () => {
  for (const kill of children) kill();
});

export function startProcess(of: ProcessOptions): RunningProcess {
  appendFileSync(of.logFile, '');
  const log = openSync(of.logFile, 'a');
  const child = spawn(of.command, of.options, {
    stdio: ['ignore', log, log],
    env: { ...process.env, ...of.environment },
  });
  closeSync(log);
  const killNow = (): void => void child.kill('SIGKILL');
  children.add(killNow);
  let ended = false;
  const exited = new Promise<string>((resolve) => {
    const end = (how: string): void => {
      ended = true;
      children.delete(killNow);
      resolve(how);
    };
    child.once('error', ({ message }) => end(message));
    child.once('exit', (code, signal) => end(signal === null ? `exit code ${code}` : `signal ${signal}`));
  });
  const kill = async (): Promise<void> => {
    killNow();
    await exited;
  };
  return {
    pid: child.pid ?? 0,
    exited,
    hasExited: () => ended,
    lastWords: () => readFileSync(of.logFile, 'utf8').slice(-2000),
    kill,
    stop: async (graceMilliseconds = 5000) => {
      child.kill('SIGTERM');
      const patience = new AbortController();
      const late = sleep(graceMilliseconds, 'late', { signal: patience.signal }).catch(() => 'in time');
      if ((await Promise.race([exited, late])) === 'late') await kill();
      patience.abort();
    },
  };
}

/**
 * Waits until `isReady` returns true; calls it every 50 ms.
 *
 * @throws Error with the last log lines of the process if it exits first or takes too long; also what `isReady` throws. The process is then killed
 */
export async function untilReady(
  {
    name,
    process,
    withinSeconds = 180,
  }: { readonly name: string; readonly process: RunningProcess; readonly withinSeconds?: number },
  isReady: () => Promise<boolean>,
): Promise<void> {
  const end = performance.now() + withinSeconds * 1000;
  try {
    while (!(await isReady())) {
      if (process.hasExited())
        throw new Error(`${name} ended: ${await process.exited}\n${process.lastWords()}`);
      if (performance.now() > end)
        throw new Error(`${name} was not ready within ${withinSeconds} s\n${process.lastWords()}`);
      await sleep(50);
    }
  } catch (error) {
    // The caller has no handle to stop it. If it became ready later, it would answer requests meant for the next process.
    await process.kill();
    throw error;
  }
}
