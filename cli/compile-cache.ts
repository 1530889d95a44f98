import { mkdirSync, statSync } from 'node:fs';
import module from 'node:module';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { cacheFolder, isOwnFolder } from './own-folder.ts';

/**
 * Lets Node keep the compiled program between starts: without it, half of the time of `drover token get`, which kubectl runs before its first request, is
 * compilation. The cache is executed, so a folder in which other users can put files is not used. A user without a home, or with one that cannot be
 * written, has no cache, and neither has Node 20: a start only takes longer.
 */
export function keepCompiled(): void {
  try {
    const folder = join(cacheFolder(process.env, homedir()), 'compiled');
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    if (isOwnFolder(statSync(folder))) module.enableCompileCache?.(folder);
  } catch {
    // Nothing depends on the cache.
  }
}
