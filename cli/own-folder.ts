import { type Stats, statSync } from 'node:fs';
import { dirname, isAbsolute, join } from 'node:path';

/** Windows has no owners of this kind. */
const ownId = process.getuid?.();

/** The folder for what drover can make again (XDG Base Directory Specification). One that is empty or relative counts as none. Pure. */
export function cacheHome(environment: Readonly<NodeJS.ProcessEnv>, homeDirectory: string): string {
  const configured = environment['XDG_CACHE_HOME'] ?? '';
  return isAbsolute(configured) ? configured : join(homeDirectory, '.cache');
}

/** Whether the user owns the folder, and no other user can put files there. */
export const isOwnFolder = (stats: Pick<Stats, 'uid' | 'mode'>): boolean =>
  isOwned(stats) && (ownId === undefined || (stats.mode & 0o022) === 0);

/** What is made in the folder of another user is his, too: with `sudo`, which may keep HOME, it would be root's. */
export const isOwned = ({ uid }: Pick<Stats, 'uid'>): boolean => ownId === undefined || uid === ownId;

/** Of the folder, or of the nearest one above it that exists. */
export const nearestStats = (folder: string): Stats =>
  statSync(folder, { throwIfNoEntry: false }) ?? nearestStats(dirname(folder));
