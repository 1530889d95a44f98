import { existsSync } from 'node:fs';
import { copyFile, mkdir, readFile, rename, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';

/** The file that `drover` runs once the package is installed. */
export const packedCli = 'dist/cli/drover.cjs';

const manifestPath = 'package.json';
const sourcePath = 'dist/package.source.json';

/** What an installation would fetch, although the bundle holds the code already. */
const left = ['dependencies', 'optionalDependencies', 'devDependencies', 'workspaces'];

/** The manifest of the published package: the bundled CLI, without dependencies. Pure. */
export const publishedManifest = (source: object): object => ({
  ...Object.fromEntries(Object.entries(source).filter(([key]) => !left.includes(key))),
  bin: { drover: packedCli },
  // Until 20.12, Dirent lacks `parentPath`, and node:util lacks `styleText`.
  engines: { node: '>=20.12' },
});

/**
 * Puts the published manifest in the place of the checkout's: npm packs the `package.json` that it finds. The scripts stay in
 * it, so that `npm run postpack` works after a pack that was interrupted.
 */
export async function swapManifest(): Promise<void> {
  const manifest = publishedManifest(JSON.parse(await readFile(manifestPath, 'utf8')));
  await mkdir(dirname(sourcePath), { recursive: true });
  await copyFile(manifestPath, sourcePath);
  await writeFile(manifestPath, `${JSON.stringify(manifest, undefined, 2)}\n`);
}

/** Brings the manifest of the checkout back. */
export async function restoreManifest(): Promise<void> {
  if (existsSync(sourcePath)) await rename(sourcePath, manifestPath);
}
