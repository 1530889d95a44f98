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
 * Sees to it that the packaged template is there and says what serverless.yml says now, and, unless they are not run, that
 * the bundles are of the code as it stands. What is fresh is left alone.
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
