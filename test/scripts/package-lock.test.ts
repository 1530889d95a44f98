import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';

interface Locked {
  readonly version?: string;
  readonly resolved?: string;
  readonly integrity?: string;
  /** A workspace of ours; its `resolved` is its folder. */
  readonly link?: true;
  readonly optionalDependencies?: Readonly<Record<string, string>>;
}

type Packages = Readonly<Record<string, Locked>>;

const packagesOf = (file: string): Packages =>
  (JSON.parse(readFileSync(join(import.meta.dirname, '../..', file), 'utf8')) as { packages: Packages })
    .packages;

/** Where Node looks for a package from a folder: its own node_modules, then those above. */
function isLocked(packages: Packages, from: string, name: string): boolean {
  if (packages[join(from, 'node_modules', name)]) return true;
  return from !== '.' && isLocked(packages, dirname(from), name);
}

describe.each(['package-lock.json', 'scripts/site/package-lock.json'])('the lock file %s', (file) => {
  const packages = packagesOf(file);

  it('names the package of every platform, as npm ci requires', () => {
    const missing = Object.entries(packages).flatMap(([path, { optionalDependencies = {} }]) =>
      Object.keys(optionalDependencies).filter((name) => !isLocked(packages, path || '.', name)),
    );
    expect(missing).toEqual([]);
  });

  it('has the hash of every package, for all platforms', () => {
    const unverified = Object.entries(packages)
      .filter(([path, { integrity, link }]) => path.includes('node_modules/') && !integrity && !link)
      .map(([path]) => path);
    expect(unverified).toEqual([]);
  });

  it('has no addresses, so that any registry can be used', () => {
    expect(Object.keys(packages).filter((path) => packages[path]?.resolved && !packages[path].link)).toEqual(
      [],
    );
  });
});

describe('the requirements of pip', () => {
  it.each([
    '.ci/requirements.txt',
    '.ci/checkov.txt',
    'packages/cloud-sandbox/real/python/ansible.txt',
    'packages/cloud-sandbox/real/python/clients.txt',
    'packages/cloud-sandbox/real/python/emulators.txt',
  ])('in %s pin each package with its hashes', (path) => {
    const text = readFileSync(join(import.meta.dirname, '../..', path), 'utf8').replaceAll('\\\n', ' ');
    const requirements = text.split('\n').filter((line) => !/^\s*(?:#.*)?$/.test(line));
    expect(requirements.length).toBeGreaterThan(2);
    for (const requirement of requirements)
      expect(requirement).toMatch(/^[\w.-]+==\S+(?: ; [^\\]+)?(?:\s+--hash=sha256:[0-9a-f]{64})+$/);
  });

  it.each(['clients', 'emulators'])('of the %s contain what is wanted', (name) => {
    const folder = join(import.meta.dirname, '../../packages/cloud-sandbox/real/python');
    const [wanted = [], pinned = []] = ['in', 'txt'].map((suffix) =>
      readFileSync(join(folder, `${name}.${suffix}`), 'utf8').match(/^[\w.-]+(?:\[\w+\])?==[\w.]+/gm),
    );
    expect(wanted?.length).toBe(2);
    expect(pinned).toEqual(expect.arrayContaining((wanted ?? []).map((one) => one.replace(/\[\w+\]/, ''))));
  });
});
