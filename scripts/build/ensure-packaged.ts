import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { buildFunctions } from './functions.ts';
import { packageDeployment } from './package-deployment.ts';
import { isStale } from './stale.ts';

const templateInputs = ['serverless.yml', 'deploy', 'package-lock.json', join('scripts', 'deployment')];
const bundleInputs = ['functions', 'shared', 'package-lock.json', join('scripts', 'build')];

async function zipsOfFunctions(): Promise<readonly string[]> {
  const files = (await readdir('functions')).filter((file) => file.endsWith('.ts'));
  return files.map((file) => join('dist', 'functions', file.replace(/\.ts$/, '.zip')));
}

/**
 * Ensures that the packaged template exists and matches serverless.yml, and, if they are run, that the bundles are of the current
 * code. Does not rebuild what is up to date.
 *
 * @throws PackagingError
 */
export async function ensurePackaged({ bundles }: { readonly bundles: 'fresh' | 'any' }): Promise<void> {
  const zips = await zipsOfFunctions();
  const state = join('.serverless', 'serverless-state.json');
  const isBuilt = !(await isStale([], zips));
  if (!isBuilt || (await isStale(templateInputs, [state]))) await packageDeployment();
  else if (bundles === 'fresh' && (await isStale(bundleInputs, zips))) await buildFunctions();
}
