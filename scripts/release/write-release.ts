import { spawn } from 'node:child_process';
import { cp, mkdir, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { text } from 'node:stream/consumers';
import { buildFunctions } from '../build/functions.ts';
import { buildReleaseTemplate } from './build-template.ts';
import { hasVersion } from './changelog.ts';
import { checksumsOf, filesUnder } from './checksums.ts';
import { releaseParameters } from './parameters.ts';
import { releaseReadme, withoutLinks } from './readme.ts';
import { withUsualModes } from './tar-modes.ts';
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

/**
 * Writes a release to PARENT/drover-VERSION: complete, or not at all.
 *
 * @throws ReleaseError where the changelog lacks the version; PackagingError
 */
export async function writeRelease({ parent }: { readonly parent: string }): Promise<Release> {
  const { version } = JSON.parse(await readFile('package.json', 'utf8')) as { readonly version: string };
  await refuseWithoutChangelog(version);
  await buildFunctions();
  const zips = await readZips('dist/functions');
  const directory = join(parent, `drover-${version}`);
  const unfinished = `${directory}.unfinished`;
  await rm(unfinished, { recursive: true, force: true });
  await writeTemplate(unfinished, { version, zips });
  await writeTerraform(unfinished, version);
  for (const manifest of manifests)
    await cp(join('deploy', manifest), join(unfinished, 'kubernetes', manifest));
  await writeTexts(unfinished, version);
  await packCli(unfinished);
  const files = await filesUnder(unfinished);
  await writeFile(join(unfinished, 'SHA256SUMS'), await checksumsOf(unfinished, files));
  await rm(directory, { recursive: true, force: true });
  await rename(unfinished, directory);
  return { directory, files };
}

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
  await write(join(directory, 'CHANGELOG.md'), withoutLinks(await readFile('CHANGELOG.md', 'utf8')));
  const deployment = await readFile(join('docs', 'deployment.md'), 'utf8');
  await write(join(directory, 'README.md'), releaseReadme(deployment, version));
}

async function writeTerraform(directory: string, version: string): Promise<void> {
  await cp('deploy/terraform', join(directory, 'terraform'), { recursive: true });
  await write(join(directory, 'terraform', 'variables.tf'), terraformVariables(releaseParameters()));
  await write(join(directory, 'terraform', 'version.tf'), `locals {\n  version = "${version}"\n}\n`);
}

async function write(path: string, content: string | Uint8Array): Promise<void> {
  await mkdir(dirname(path), { recursive: true });
  await writeFile(path, content);
}

/** The package of the command `drover`: npm gives each file of it the same time, and we the same mode. */
async function packCli(directory: string): Promise<void> {
  const child = spawn('npm', ['pack', '--silent', '--pack-destination', directory], {
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  const ended = new Promise<number | null>((resolve, reject) =>
    child.on('close', resolve).on('error', reject),
  );
  const [said, code] = await Promise.all([text(child.stderr), ended]);
  if (code !== 0) throw new ReleaseError(`npm pack failed: ${said}`);
  const packed = (await readdir(directory))
    .filter((file) => file.endsWith('.tgz'))
    .map((file) => join(directory, file));
  for (const file of packed) await writeFile(file, withUsualModes(await readFile(file)));
}
