import { createHash } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';

/** Third-party software, kept outside the checkout. A change of its definition installs it again. */
export interface Installed {
  readonly name: string;
  /** Empty if only files define it. */
  readonly version: string;
  /** `~/.cache/drover/NAME/KEY`. */
  readonly directory: string;
  /** Whether it is completely installed. */
  readonly isInstalled: boolean;
  /** The command that installs it; undefined if it is installed. Used for `skip` and shown to the user. */
  readonly missing: string | undefined;
}

/** Written last, so an interrupted installation does not have it. */
export const stampFile = '.complete';

/** The directory of all installations. */
export const cache = join(process.env.XDG_CACHE_HOME ?? join(homedir(), '.cache'), 'drover');

/** `files` and `version` define an installation. Files are paths in this folder; a changed file installs it again. */
export function installed(
  name: string,
  { version = '', files = [] }: { readonly version?: string; readonly files?: readonly string[] },
): Installed {
  const key = [version, files.length > 0 ? hashOf(files) : ''].filter((part) => part !== '').join('-');
  const directory = join(cache, name, key);
  const isInstalled = existsSync(join(directory, stampFile));
  const missing = isInstalled ? undefined : `npm run real:install -- ${name}`;
  return { name, version, directory, isInstalled, missing };
}

function hashOf(files: readonly string[]): string {
  const hash = createHash('sha256');
  for (const file of files) hash.update(readFileSync(join(import.meta.dirname, file)));
  return hash.digest('hex').slice(0, 12);
}
