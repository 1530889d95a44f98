import { existsSync } from 'node:fs';
import { constants, copyFile, mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import * as z from 'zod/mini';
import { startFile } from '../build/cli-files.ts';

/** The file that `drover` runs once the package is installed. */
export const packedCli = `dist/cli/${startFile}`;

const manifestPath = 'package.json';
const sourcePath = 'dist/package.source.json';

/** What an installation would fetch, although the bundle holds the code already, and settings of the checkout. */
const left = ['dependencies', 'optionalDependencies', 'devDependencies', 'workspaces', 'config'];

const sourceSchema = z.looseObject({
  name: z.string(),
  config: z.optional(
    z.object({
      npmScope: z.string().check(z.regex(/^(?:@[a-z0-9][a-z0-9._-]*)?$/, 'no scope such as @example')),
    }),
  ),
});

/**
 * The manifest of the published package: the bundled CLI, without dependencies. It is private, so that npm refuses to publish it, until
 * `config.npmScope` names a scope that the owner has. Pure.
 *
 * @throws ZodError if the scope is malformed
 */
export function publishedManifest(source: object): object {
  const { config, ...manifest } = z.parse(sourceSchema, source);
  const scope = config?.npmScope;
  return {
    ...Object.fromEntries(Object.entries(manifest).filter(([key]) => !left.includes(key))),
    ...(scope && { name: `${scope}/${manifest.name}`, private: false }),
    bin: { drover: packedCli },
    // Until 20.12, Dirent lacks `parentPath`, and node:util lacks `styleText`.
    engines: { node: '>=20.12' },
  };
}

const published = (source: string): string =>
  `${JSON.stringify(publishedManifest(JSON.parse(source)), undefined, 2)}\n`;

/**
 * Puts the published manifest in the place of the checkout's: npm packs the `package.json` that it finds. The scripts stay in
 * it, so that `npm run postpack` works after a pack that was interrupted. Rejects while another pack of the checkout runs.
 */
export async function swapManifest(checkout = '.'): Promise<void> {
  const [manifest, source] = [join(checkout, manifestPath), join(checkout, sourcePath)];
  await mkdir(dirname(source), { recursive: true });
  await copyFile(manifest, source, constants.COPYFILE_EXCL);
  await writeFile(manifest, published(await readFile(source, 'utf8')));
}

/**
 * Restores the manifest of the checkout. After an interrupted pack, it may already have been restored by hand.
 *
 * @throws Error if the manifest was changed since: nothing is overwritten.
 */
export async function restoreManifest(checkout = '.'): Promise<void> {
  const [manifest, source] = [join(checkout, manifestPath), join(checkout, sourcePath)];
  if (!existsSync(source)) return;
  const [found, kept] = await Promise.all([readFile(manifest, 'utf8'), readFile(source, 'utf8')]);
  if (found === published(kept)) await rename(source, manifest);
  else if (found === kept) await rm(source);
  else
    throw new Error(
      `${manifestPath} has changed since a pack was interrupted: compare it with ${sourcePath}, the manifest before that pack, and delete that file`,
    );
}
