import { mkdirSync } from 'node:fs';
import module from 'node:module';
import { homedir } from 'node:os';
import { dirname, join } from 'node:path';
import { homeOf } from './home.ts';
import { cacheHome, isOwnFolder, nearestStats } from './own-folder.ts';

/**
 * Lets Node keep the compiled program between starts: without it, a third of the time of `drover token get`, which kubectl runs before its first request, is
 * compilation. The cache is executed, so it is not used if other users can put files into its folder or move it. A user whose home cannot be written has
 * no cache, and neither has Node before 22.8: a start only takes longer.
 */
export function keepCompiled(environment: NodeJS.ProcessEnv): void {
  const { enableCompileCache, getCompileCacheDir } = module;
  // The user's own NODE_COMPILE_CACHE wins.
  if (enableCompileCache === undefined || getCompileCacheDir() !== undefined) return;
  if (environment['NODE_DISABLE_COMPILE_CACHE']) return;
  const above = cacheHome(environment, homeOf(environment, homedir));
  const folder = join(above, 'drover', 'compiled');
  try {
    if (![folder, dirname(folder), above].every((path) => isOwnFolder(nearestStats(path)))) return;
    mkdirSync(folder, { recursive: true, mode: 0o700 });
  } catch {
    // Nothing depends on the cache.
    return;
  }
  enableCompileCache(folder);
}
