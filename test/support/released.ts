import { readFileSync } from 'node:fs';
import { mkdir, mkdtemp, readdir, rename, rm } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { pseudoParameters } from '../../local/deployment/load-release.ts';
import { settleRelease } from '../../local/deployment/release-template.ts';
import { isStale } from '../../scripts/build/stale.ts';
import type { Values } from '../../scripts/deployment/evaluate-conditions.ts';
import { writeTemplate } from '../../scripts/release/write-release.ts';
import { readZips } from '../../scripts/release/zips.ts';

export const releasedDirectory = join('dist', 'released');
const inputs = [
  'serverless.yml',
  'deploy',
  'package-lock.json',
  join('scripts', 'release'),
  join('scripts', 'deployment'),
];
const version = '0.0.0';
const file = join(releasedDirectory, `drover-${version}.template.json`);

/** The template of a release, made once for all tests, and again when the deployment has changed. */
export async function releasedTemplate(): Promise<unknown> {
  if (await isStale(inputs, [file])) await make();
  return JSON.parse(readFileSync(file, 'utf8'));
}

/**
 * In a folder of its own, and then file by file, the template last: other files of tests may make it and read it at the same moment. A zip
 * has its content's hash in its name, so that none is replaced by another one.
 */
async function make(): Promise<void> {
  const functions = join(releasedDirectory, 'functions');
  await mkdir(functions, { recursive: true });
  const unfinished = await mkdtemp(join('dist', 'released-'));
  await writeTemplate(unfinished, { version, zips: await readZips(join('dist', 'functions')) });
  for (const zip of await readdir(join(unfinished, 'functions')))
    await rename(join(unfinished, 'functions', zip), join(functions, zip));
  await rename(join(unfinished, basename(file)), file);
  await rm(unfinished, { recursive: true });
}

/** The resources of a release in a private network, as its parameters choose them, and the pseudo parameters of its stack. */
export async function privateRelease({
  stackName,
  region = 'eu-west-1',
  parameters,
}: {
  readonly stackName: string;
  readonly region?: string;
  readonly parameters: Values;
}): Promise<{ readonly resources: Readonly<Record<string, object>>; readonly pseudo: Values }> {
  const pseudo = pseudoParameters({ stackName, accountId: '123456789012', region });
  const network = {
    Network: 'private',
    VpcId: 'vpc-0123456789abcdef0',
    SubnetA: 'subnet-0123456789abcdef0',
    SubnetB: 'subnet-0123456789abcdef1',
  };
  const given = { ArtifactBucket: 'releases', ...network, ...parameters };
  return { resources: settleRelease(await releasedTemplate(), given, pseudo).Resources, pseudo };
}
