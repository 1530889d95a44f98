import { spawn } from 'node:child_process';
import { cp, mkdir, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { text } from 'node:stream/consumers';
import { pageOutputs } from '../../ui/server/page-parts.ts';
import { bundleCli } from '../build/cli.ts';
import { type BuiltFunction, buildFunctions } from '../build/functions.ts';
import { packageFoldersIn } from '../build/package-folders.ts';
import { buildReleaseTemplate } from './build-template.ts';
import { hasVersion } from './changelog.ts';
import { readCheckout } from './checkout.ts';
import { checksumsOf, filesUnder } from './checksums.ts';
import { releaseParameters } from './parameters.ts';
import { releaseReadme, withoutLinks } from './readme.ts';
import { readSigningKey, refuseUnnamedSource, signatureOf } from './signature.ts';
import { type Bundled, writeStatements } from './statements.ts';
import { withUsualModes } from './tar-modes.ts';
import { terraformReadme } from './terraform-readme.ts';
import { terraformVariables } from './terraform-variables.ts';
import { readZips, type Zip } from './zips.ts';

/** The release cannot be made from the present state of the repository. */
export class ReleaseError extends Error {
  override readonly name = 'ReleaseError';
}

export interface Release {
  readonly directory: string;
  readonly files: readonly string[];
}

/** What a cluster needs of Drover, applied with kubectl. */
const manifests = ['rbac.yaml', 'flow-schema.yaml', 'admission.yaml'];

export interface ReleaseRequest {
  readonly parent: string;
  /** The file of the private key that signs the checksums; without it the release is not signed. */
  readonly signKey?: string | undefined;
}

/**
 * Writes a release to PARENT/drover-VERSION: complete, or not at all.
 *
 * @throws ReleaseError where the changelog lacks the version; LicenseError; SigningError; PackagingError
 */
export async function writeRelease({ parent, signKey }: ReleaseRequest): Promise<Release> {
  const { version } = JSON.parse(await readFile('package.json', 'utf8')) as { readonly version: string };
  await refuseWithoutChangelog(version);
  // Before `npm pack`, which changes the manifest while it runs.
  const checkout = await readCheckout();
  const key = signKey === undefined ? undefined : await readSigningKey(signKey);
  if (key) refuseUnnamedSource(checkout);
  const functions = await buildFunctions();
  const zips = await readZips('dist/functions');
  const directory = join(parent, `drover-${version}`);
  const unfinished = `${directory}.unfinished`;
  await rm(unfinished, { recursive: true, force: true });
  await writeTemplate(unfinished, { version, zips });
  await writeTerraform(unfinished, version);
  for (const manifest of manifests)
    await cp(join('deploy', manifest), join(unfinished, 'kubernetes', manifest));
  await writeTexts(unfinished, version);
  const bundles = [...bundledZips(zips, functions), await packCli(unfinished)];
  await writeStatements(unfinished, { version, checkout, bundles });
  const files = await filesUnder(unfinished);
  const checksums = await checksumsOf(unfinished, files);
  await writeFile(join(unfinished, 'SHA256SUMS'), checksums);
  // Without the public key: one that comes with a release proves nothing about it.
  if (key) await writeFile(join(unfinished, 'SHA256SUMS.sig'), signatureOf(key, Buffer.from(checksums)));
  await rm(directory, { recursive: true, force: true });
  await rename(unfinished, directory);
  return { directory, files };
}

/** The zips with what is bundled in them. */
const bundledZips = (zips: readonly Zip[], functions: readonly BuiltFunction[]): readonly Bundled[] =>
  zips.map(({ functionName, key }) => {
    const built = functions.find((one) => one.functionName === functionName);
    if (!built)
      throw new ReleaseError(
        `dist/functions has ${functionName}.zip, which is not a function of Drover: delete it`,
      );
    return { name: functionName, file: key, packageFolders: built.packageFolders };
  });

async function refuseWithoutChangelog(version: string): Promise<void> {
  if (!hasVersion(await readFile('CHANGELOG.md', 'utf8'), version))
    throw new ReleaseError(
      `CHANGELOG.md has no heading \`## ${version}\`: write what the release changes, and release again`,
    );
}

export interface Templated {
  readonly version: string;
  readonly zips: readonly Zip[];
}

/** The template, and the zips under the names that it has. */
export async function writeTemplate(directory: string, { version, zips }: Templated): Promise<void> {
  const names = Object.fromEntries(zips.map(({ functionName, key }) => [functionName, key]));
  const template = await buildReleaseTemplate({ version, zips: names });
  for (const { key, content } of zips) await write(join(directory, key), content);
  await write(
    join(directory, `drover-${version}.template.json`),
    `${JSON.stringify(template, undefined, 1)}\n`,
  );
}

async function writeTexts(directory: string, version: string): Promise<void> {
  await cp('LICENSE', join(directory, 'LICENSE'));
  // Editors check the files of `drover apply` with it.
  await cp(join('docs', 'drover.schema.json'), join(directory, 'drover.schema.json'));
  await write(join(directory, 'CHANGELOG.md'), withoutLinks(await readFile('CHANGELOG.md', 'utf8')));
  const deployment = await readFile(join('docs', 'deployment.md'), 'utf8');
  await write(join(directory, 'README.md'), releaseReadme(deployment, version));
}

async function writeTerraform(directory: string, version: string): Promise<void> {
  await cp('deploy/terraform', join(directory, 'terraform'), { recursive: true });
  const variables = terraformVariables(releaseParameters());
  await write(join(directory, 'terraform', 'variables.tf'), variables);
  const readme = await readFile(join('deploy', 'terraform', 'README.md'), 'utf8');
  await write(join(directory, 'terraform', 'README.md'), terraformReadme(readme, variables));
  await cp('LICENSE', join(directory, 'terraform', 'LICENSE'));
  await write(join(directory, 'terraform', 'version.tf'), `locals {\n  version = "${version}"\n}\n`);
}

async function write(path: string, content: string | Uint8Array): Promise<void> {
  await mkdir(dirname(path), { recursive: true });
  await writeFile(path, content);
}

/** The package of the command `drover`: npm gives each file of it the same time, and we the same mode. */
async function packCli(directory: string): Promise<Bundled> {
  const child = spawn('npm', ['pack', '--silent', '--pack-destination', directory], {
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  const ended = new Promise<number | null>((resolve, reject) =>
    child.on('close', resolve).on('error', reject),
  );
  const [said, code] = await Promise.all([text(child.stderr), ended]);
  if (code !== 0) throw new ReleaseError(`npm pack failed: ${said}`);
  const [file, ...others] = (await readdir(directory)).filter((name) => name.endsWith('.tgz'));
  if (file === undefined || others.length > 0) throw new ReleaseError('npm pack made not one package');
  await writeFile(join(directory, file), withUsualModes(await readFile(join(directory, file))));
  const { packageFolders } = await bundleCli();
  return { name: 'cli', file, packageFolders: [...packageFolders, ...packageFoldersIn(pageOutputs())] };
}
