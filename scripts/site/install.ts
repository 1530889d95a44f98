import { spawn } from 'node:child_process';
import { copyFile, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { SiteError } from './site-error.ts';

const folder = import.meta.dirname;
const lock = join(folder, 'package-lock.json');
const installed = join(folder, 'node_modules/.installed-lock.json');

/**
 * Installs the generator as its lock file says. It is not a workspace of the project, so `npm ci` of the project does not install it.
 *
 * @throws SiteError where npm fails.
 */
export async function ensureInstalled(): Promise<void> {
  if (await isInstalled()) return;
  process.stderr.write('installing the generator of the site into scripts/site/node_modules\n');
  const status = await npm('ci', '--prefer-offline', '--no-audit', '--no-fund', '--ignore-scripts');
  if (status !== 0)
    throw new SiteError(`npm ci in site failed with ${status}: it needs an npm registry, once`);
  await copyFile(lock, installed);
}

/** Whether the generator was installed with this lock file. */
async function isInstalled(): Promise<boolean> {
  const [wanted, found] = await Promise.all([
    readFile(lock, 'utf8'),
    readFile(installed, 'utf8').catch(ifMissing),
  ]);
  return wanted === found;
}

function ifMissing(error: NodeJS.ErrnoException): undefined {
  if (error.code !== 'ENOENT') throw error;
}

/** Its standard output goes to standard error: that of `npm run site` is the folder. */
const npm = (...args: readonly string[]): Promise<number | string> =>
  new Promise((resolve, reject) => {
    const child = spawn('npm', args, { cwd: folder, stdio: ['ignore', process.stderr, process.stderr] });
    child.once('error', reject);
    child.once('exit', (code, signal) => resolve(code ?? signal ?? 'an unknown end'));
  });
