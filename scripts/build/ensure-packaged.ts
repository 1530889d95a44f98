import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { buildFunctions } from './functions.ts';
import { packageDeployment } from './package-deployment.ts';

const templateInputs = ['serverless.yml', 'deploy', 'package-lock.json'];
const bundleInputs = ['functions', 'shared', 'package-lock.json', join('scripts', 'build')];

async function filesUnder(path: string): Promise<readonly string[]> {
  const found = await stat(path).catch(() => undefined);
  if (!found?.isDirectory()) return found ? [path] : [];
  const entries = await readdir(path, { recursive: true, withFileTypes: true });
  return entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
}

const modifiedAt = async (path: string): Promise<number> => (await stat(path)).mtimeMs;

async function timesOf(paths: readonly string[]): Promise<readonly number[]> {
  const files = (await Promise.all(paths.map(filesUnder))).flat();
  return Promise.all(files.map(modifiedAt));
}

/** Whether something of `inputs` is younger than the oldest of `outputs`, or there are no outputs. */
async function isStale(inputs: readonly string[], outputs: readonly string[]): Promise<boolean> {
  const made = await timesOf(outputs);
  return made.length === 0 || Math.max(...(await timesOf(inputs))) > Math.min(...made);
}

async function zipsOfFunctions(): Promise<readonly string[]> {
  const files = (await readdir('functions')).filter((file) => file.endsWith('.ts'));
  return files.map((file) => join('dist', 'functions', file.replace(/\.ts$/, '.zip')));
}

/**
 * Sees to it that the packaged template is there and says what serverless.yml says now, and, unless they are not run, that
 * the bundles are of the code as it stands. What is fresh is left alone.
 *
 * @throws PackagingError
 */
export async function ensurePackaged({ bundles }: { readonly bundles: 'fresh' | 'any' }): Promise<void> {
  const zips = await zipsOfFunctions();
  const missing = (await Promise.all(zips.map(filesUnder))).some((found) => found.length === 0);
  const state = join('.serverless', 'serverless-state.json');
  if (missing || (await isStale(templateInputs, [state]))) await packageDeployment();
  else if (bundles === 'fresh' && (await isStale(bundleInputs, zips))) await buildFunctions();
}
