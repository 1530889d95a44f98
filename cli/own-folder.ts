import { type Stats, statSync } from 'node:fs';
import { dirname, isAbsolute, join } from 'node:path';

/** Windows has no owners of this kind. */
const ownId = process.getuid?.();

/** The folder of the user's caches (XDG Base Directory Specification). A variable that is empty or relative counts as not set. Pure. */
export function cacheHome(environment: Readonly<NodeJS.ProcessEnv>, homeDirectory: string): string {
  const configured = environment['XDG_CACHE_HOME'] ?? '';
  return isAbsolute(configured) ? configured : join(homeDirectory, '.cache');
}

type Ownership = Pick<Stats, 'uid' | 'mode'>;

/** Whether the user owns it, whatever others may do. */
export const isOwned = ({ uid }: Pick<Ownership, 'uid'>): boolean => ownId === undefined || uid === ownId;

/** Whether the user owns the folder, and no other user can put files there. */
export const isOwnFolder = (stats: Ownership): boolean => isOwned(stats) && isClosed(stats, 0o022);

/** Whether the user owns the file, and no other user can read or change it. */
export const isOwnFile = (stats: Ownership): boolean => isOwned(stats) && isClosed(stats, 0o077);

const isClosed = ({ mode }: Ownership, toOthers: number): boolean =>
  ownId === undefined || (mode & toOthers) === 0;

/** Of the folder, or of the nearest one above it that exists. */
export const nearestStats = (folder: string): Stats =>
  statSync(folder, { throwIfNoEntry: false }) ?? nearestStats(dirname(folder));
