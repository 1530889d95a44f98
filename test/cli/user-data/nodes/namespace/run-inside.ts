import { spawn } from 'node:child_process';

export interface Run {
  readonly status: number;
  readonly output: string;
  readonly log: string;
}

export interface Started {
  readonly finished: Promise<Run>;
  /** As where the machine loses its power: nothing is cleaned up. */
  readonly kill: () => void;
}

export interface InsideCommand {
  /** For bash. */
  readonly command: string;
  /** Its `$1` and so on. */
  readonly words?: readonly string[] | undefined;
  readonly input?: string | undefined;
  readonly environment?: readonly string[] | undefined;
}

const path = 'PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin';

/** Starts a command in the namespaces of a process, with the environment that systemd gives. */
export function startInside(
  pid: number,
  { command, words = [], input = '', environment = [] }: InsideCommand,
): Started {
  const child = spawn(
    'nsenter',
    [
      `--target=${pid}`,
      '--mount',
      '--net',
      'env',
      '--ignore-environment',
      path,
      ...environment,
      // Its input is a socket, for which bash reads the settings of a user.
      'bash',
      '--norc',
      '-c',
      `cd /; ${command}`,
      'bash',
      ...words,
    ],
    { detached: true },
  );
  const said = { output: '', log: '' };
  child.stdout.on('data', (data: Buffer) => (said.output += String(data)));
  child.stderr.on('data', (data: Buffer) => (said.log += String(data)));
  // A command that reads nothing closes its input first.
  child.stdin.on('error', () => undefined).end(input);
  return {
    finished: new Promise((resolve, reject) => {
      child.on('error', reject);
      child.on('close', (status) => resolve({ status: status ?? -1, ...said }));
    }),
    kill: () =>
      void (child.pid !== undefined && child.exitCode === null && process.kill(-child.pid, 'SIGKILL')),
  };
}
