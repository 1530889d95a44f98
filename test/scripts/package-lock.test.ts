import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';

interface Locked {
  readonly version?: string;
  readonly resolved?: string;
  /** A workspace of ours; its `resolved` is its folder. */
  readonly link?: true;
  readonly optionalDependencies?: Readonly<Record<string, string>>;
}

const file = join(import.meta.dirname, '../../package-lock.json');
const { packages } = JSON.parse(readFileSync(file, 'utf8')) as { packages: Readonly<Record<string, Locked>> };

/** Where Node looks for a package from a folder: its own node_modules, then those above. */
function isLocked(from: string, name: string): boolean {
  if (packages[join(from, 'node_modules', name)]) return true;
  return from !== '.' && isLocked(dirname(from), name);
}

describe('the lock file', () => {
  it('names the package of every platform, as npm ci requires', () => {
    const missing = Object.entries(packages).flatMap(([path, { optionalDependencies = {} }]) =>
      Object.keys(optionalDependencies).filter((name) => !isLocked(path || '.', name)),
    );
    expect(missing).toEqual([]);
  });

  it('has no addresses, so that any registry can be used', () => {
    expect(Object.keys(packages).filter((path) => packages[path]?.resolved && !packages[path].link)).toEqual(
      [],
    );
  });
});
