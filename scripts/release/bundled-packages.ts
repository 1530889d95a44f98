import { readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import * as z from 'zod/mini';

/** A package of others whose code is in the release, as the lock file names it. */
export interface BundledPackage {
  readonly name: string;
  readonly version: string;
  /** The SPDX id or expression of its license. */
  readonly license: string;
  /** As npm verifies it before it unpacks the package. */
  readonly integrity: string;
  /** The purls of the packages that it depends on and that are bundled, too. */
  readonly dependsOn: readonly string[];
}

const lockSchema = z.object({
  packages: z.record(
    z.string(),
    z.looseObject({
      name: z.optional(z.string()),
      version: z.optional(z.string()),
      license: z.optional(z.string()),
      integrity: z.optional(z.string()),
      dependencies: z.optional(z.record(z.string(), z.string())),
      peerDependencies: z.optional(z.record(z.string(), z.string())),
      optionalDependencies: z.optional(z.record(z.string(), z.string())),
    }),
  ),
});

export type Lock = z.infer<typeof lockSchema>['packages'];

/** @throws ZodError if the text is not a lock file of npm 7 or later */
export const parseLock = (text: string): Lock => z.parse(lockSchema, JSON.parse(text)).packages;

/** The path of a package in the lock file: a checkout may have node_modules elsewhere, behind a link. Pure. */
export const lockPathOf = (folder: string): string =>
  folder.slice(Math.max(0, folder.indexOf('node_modules/')));

/** The name of a package as tools exchange it. The `@` of a scope is encoded. Pure. */
export const purlOf = ({ name, version }: Pick<BundledPackage, 'name' | 'version'>): string =>
  `pkg:npm/${name.replace(/^@/, '%40')}@${version}`;

/**
 * The packages of these folders by their purls, in order. A version that npm installed twice is listed once. Pure.
 *
 * @throws Error if the lock file lacks a package, or its version, license or hash
 */
export function bundledPackages(lock: Lock, folders: readonly string[]): ReadonlyMap<string, BundledPackage> {
  const paths = new Set(folders.map(lockPathOf));
  const packages = [...paths].map((path) => packageAt(lock, paths, path));
  return new Map(packages.map((one) => [purlOf(one), one] as const).sort(([a], [b]) => (a < b ? -1 : 1)));
}

function packageAt(lock: Lock, bundled: ReadonlySet<string>, path: string): BundledPackage {
  const { version, license, integrity, ...needs } = lock[path] ?? {};
  if (version === undefined || license === undefined || integrity === undefined)
    throw new Error(`package-lock.json has no version, license and integrity of ${path}, which is bundled`);
  const needed = { ...needs.dependencies, ...needs.peerDependencies, ...needs.optionalDependencies };
  const dependsOn = Object.keys(needed).flatMap((dependency) => {
    const found = resolve(lock, path, dependency);
    return found !== undefined && bundled.has(found) ? purlOf(named(lock, found)) : [];
  });
  return { ...named(lock, path), license, integrity, dependsOn: [...new Set(dependsOn)].sort() };
}

const named = (lock: Lock, path: string): Pick<BundledPackage, 'name' | 'version'> => ({
  name: lock[path]?.name ?? path.slice(path.lastIndexOf('node_modules/') + 'node_modules/'.length),
  version: lock[path]?.version ?? '',
});

/** Where Node finds a package from a folder: in its own node_modules, then in those above. */
function resolve(lock: Lock, from: string, name: string): string | undefined {
  const path = join(from, 'node_modules', name);
  if (lock[path]) return path;
  return from === '.' ? undefined : resolve(lock, dirname(from), name);
}

/**
 * Refuses an installation that differs from the lock file, whose hashes would then describe other code than the bundled.
 *
 * @throws Error with what to run
 */
export async function refuseOtherVersions(lock: Lock, folders: readonly string[]): Promise<void> {
  const manifestSchema = z.object({ version: z.string() });
  for (const folder of folders) {
    const text = await readFile(join(folder, 'package.json'), 'utf8');
    const { version } = z.parse(manifestSchema, JSON.parse(text));
    const locked = lock[lockPathOf(folder)]?.version;
    if (version !== locked)
      throw new Error(
        `${lockPathOf(folder)} has version ${version}, and package-lock.json ${locked ?? 'does not name it'}: run \`npm ci --ignore-scripts\``,
      );
  }
}
