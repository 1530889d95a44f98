import { execFileSync } from 'node:child_process';
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Installed, stampFile } from '../installed.ts';

export interface Installation {
  readonly what: Installed;
  /** How long it takes and where it downloads from, as shown to the user. */
  readonly takes: string;
  /** Programs that must be on this machine. */
  readonly needs: readonly string[];
  /** The Debian packages that have them, if they are named differently. */
  readonly debianPackages?: string;
  /** Installs it into its directory, which exists and is empty. Throws if it cannot. */
  readonly put: (directory: string) => void;
}

/** Installs what is not installed yet. If something that it needs is missing, throws an error that names the remedy. */
export function install({ what, takes, needs, debianPackages, put }: Installation): void {
  const { name, directory, isInstalled } = what;
  if (isInstalled) return say(`${name} is in ${directory}`);
  const missing = needs.filter((program) => !isOnPath(program));
  const from = debianPackages === undefined ? '' : ` (Debian: apt-get install ${debianPackages})`;
  if (missing.length > 0)
    throw new Error(`${name} needs ${missing.join(' and ')}: install that first${from}`);
  say(`${name}: installing, ${takes} ...`);
  rmSync(directory, { recursive: true, force: true });
  mkdirSync(directory, { recursive: true });
  const startedAt = performance.now();
  put(directory);
  writeFileSync(join(directory, stampFile), '');
  say(`${name} is now in ${directory} (${Math.round((performance.now() - startedAt) / 1000)} s)`);
}

/** Returns the output of the command. Throws if the command fails. */
export function runIn(
  directory: string,
  [command = '', ...options]: readonly string[],
  environment: Readonly<Record<string, string>> = {},
): void {
  execFileSync(command, options, {
    cwd: directory,
    stdio: ['ignore', 'ignore', 'inherit'],
    env: { ...process.env, ...environment },
  });
}

export const say = (line: string): void => void process.stdout.write(`${line}\n`);

function isOnPath(program: string): boolean {
  try {
    execFileSync('sh', ['-c', `command -v ${program}`], { stdio: 'ignore' });
    return true;
  } catch (error) {
    if (error instanceof Error && 'status' in error) return false;
    throw error;
  }
}
