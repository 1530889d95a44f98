import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { promisify } from 'node:util';

const run = promisify(execFile);

/**
 * Whether this process may take the keys of its terminal. The kernel stops one in the background that tries (`npm start &`), for as long as
 * it stays there.
 */
export async function isInForeground(platform: NodeJS.Platform = process.platform): Promise<boolean> {
  try {
    if (platform === 'linux') return readsStat(await readFile('/proc/self/stat', 'utf8'));
    const { stdout } = await run('ps', ['-o', 'stat=', '-p', String(process.pid)]);
    return stdout.includes('+');
  } catch {
    // Without an answer the sandbox works, and has no keys.
    return false;
  }
}

/** After the command, which may hold anything: state, parent, group, session, terminal, the terminal's group (proc_pid_stat(5)). */
export function readsStat(stat: string): boolean {
  const [, , group, , terminal, foregroundGroup] = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  return terminal !== '0' && group === foregroundGroup;
}
