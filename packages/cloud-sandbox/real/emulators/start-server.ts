import { type ChildProcess, spawn } from 'node:child_process';
import { setTimeout as sleep } from 'node:timers/promises';
import { freePort } from '../free-port.ts';

export interface RunningServer {
  /** On the loopback address. */
  readonly url: string;
  stop(): void;
}

export interface ServerCommand {
  readonly command: string;
  readonly options: readonly string[];
  readonly environment?: Readonly<Record<string, string>>;
}

/** Starts a server on a free port and waits until it answers anything. Rejects when it does not within 30 s. */
export async function startServer(
  name: string,
  commandFor: (port: number) => ServerCommand,
): Promise<RunningServer> {
  const port = await freePort();
  const { command, options, environment } = commandFor(port);
  const child = spawn(command, options, { stdio: 'ignore', env: { ...process.env, ...environment } });
  const url = `http://127.0.0.1:${port}`;
  for (let attempt = 0; attempt < 60; attempt += 1) {
    if (await answers(url, child)) return { url, stop: () => child.kill() };
    await sleep(500);
  }
  child.kill();
  throw new Error(`${name} did not answer within 30 s`);
}

async function answers(url: string, child: ChildProcess): Promise<boolean> {
  if (child.exitCode !== null) throw new Error(`it ended at once, with exit code ${child.exitCode}`);
  try {
    await fetch(`${url}/?Action=ListQueues`);
    return true;
  } catch (error) {
    if (error instanceof TypeError) return false;
    throw error;
  }
}
