import type { Stats } from 'node:fs';
import { isAbsolute, join } from 'node:path';

/** Windows has no owners of this kind. */
const ownId = process.getuid?.();

/** The folder in which drover caches what it can make again (XDG Base Directory Specification). One that is empty or relative counts as none. Pure. */
export function cacheFolder(environment: Readonly<NodeJS.ProcessEnv>, homeDirectory: string): string {
  const configured = environment['XDG_CACHE_HOME'] ?? '';
  return join(isAbsolute(configured) ? configured : join(homeDirectory, '.cache'), 'drover');
}

/** Whether no other user can put files in the folder. */
export const isOwnFolder = ({ uid, mode }: Pick<Stats, 'uid' | 'mode'>): boolean =>
  ownId === undefined || (uid === ownId && (mode & 0o022) === 0);
