import { createHash } from 'node:crypto';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { licensesText } from '../pack/licenses.ts';
import { type Artifact, billOfMaterials } from './bill-of-materials.ts';
import { bundledPackages, parseLock, refuseOtherVersions } from './bundled-packages.ts';
import type { Checkout } from './checkout.ts';
import { filesUnder } from './checksums.ts';
import { provenance } from './provenance.ts';

/** A file with code in the release, and the folders of the packages that are bundled in it. */
export interface Bundled {
  readonly name: string;
  readonly file: string;
  readonly packageFolders: readonly string[];
}

export interface Statements {
  readonly version: string;
  readonly checkout: Checkout | undefined;
  readonly bundles: readonly Bundled[];
}

/**
 * Writes what a release says about itself: the licenses of the bundled packages, the bill of materials, and, about all files before it,
 * how they were built.
 *
 * @throws LicenseError; Error if the installation differs from the lock file
 */
export async function writeStatements(directory: string, statements: Statements): Promise<void> {
  const { version, checkout, bundles } = statements;
  const lockText = await readFile('package-lock.json', 'utf8');
  const lock = parseLock(lockText);
  const folders = [...new Set(bundles.flatMap(({ packageFolders }) => packageFolders))];
  await refuseOtherVersions(lock, folders);
  await writeFile(join(directory, 'THIRD-PARTY-LICENSES.txt'), await licensesText(folders));
  const artifacts: Artifact[] = [];
  for (const { name, file, packageFolders } of bundles)
    artifacts.push({
      name,
      file,
      sha256: await sha256Of(join(directory, file)),
      packages: [...bundledPackages(lock, packageFolders).keys()],
    });
  const packages = bundledPackages(lock, folders);
  const materials = billOfMaterials({ version, artifacts, packages, committedAt: checkout?.committedAt });
  await writeJson(join(directory, `drover-${version}.cdx.json`), materials);
  const files = [];
  for (const file of await filesUnder(directory))
    files.push({ file, sha256: await sha256Of(join(directory, file)) });
  const build = {
    version,
    checkout,
    nodeVersion: process.version,
    lockSha256: sha256(Buffer.from(lockText)),
    files,
  };
  await writeJson(join(directory, `drover-${version}.provenance.json`), provenance(build));
}

const sha256 = (content: Uint8Array): string => createHash('sha256').update(content).digest('hex');
const sha256Of = async (path: string): Promise<string> => sha256(await readFile(path));

const writeJson = (path: string, content: object): Promise<void> =>
  writeFile(path, `${JSON.stringify(content, undefined, 1)}\n`);
