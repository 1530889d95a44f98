import { execFileSync } from 'node:child_process';
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Installed, stampFile } from '../installed.ts';

export interface Installation {
  readonly what: Installed;
  /** For people: what it takes. */
  readonly takes: string;
  /** Programs that must be on this machine. */
  readonly needs: readonly string[];
  /** The packages of Debian that have them, where their names do not say so. */
  readonly debianPackages?: string;
  /** Puts it into its directory, which is there and empty. Throws where it cannot. */
  readonly put: (directory: string) => void;
}

/** Installs what is not there yet. Throws with what to do where something that it needs is missing. */
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

/** Its output is that of the command. Throws where the command fails. */
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
