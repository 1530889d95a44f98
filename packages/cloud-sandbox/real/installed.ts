import { createHash } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';

/** Something that others wrote, kept outside the checkout, and made anew when what defines it changes. */
export interface Installed {
  readonly name: string;
  /** Empty where only files define it. */
  readonly version: string;
  /** `~/.cache/drover/NAME/KEY`. */
  readonly directory: string;
  /** Whether it is there whole. */
  readonly isInstalled: boolean;
  /** Undefined, or what to run: for `skip`, and for people. */
  readonly missing: string | undefined;
}

/** A file of its name says that all of it is there: an installation that broke off does not count. */
export const stampFile = '.complete';

/** Where all of it is kept. */
export const cache = join(process.env.XDG_CACHE_HOME ?? join(homedir(), '.cache'), 'drover');

/** `files` and `version`: what defines it. Files are paths in this folder; a change of one installs it anew. */
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
