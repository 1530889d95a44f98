import { readFileSync } from 'node:fs';
import { mkdir, mkdtemp, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { isStale } from '../../scripts/build/stale.ts';
import { writeTemplate } from '../../scripts/release/write-release.ts';
import { readZips } from '../../scripts/release/zips.ts';

export const releasedDirectory = join('dist', 'released');
const inputs = ['serverless.yml', 'deploy', 'package-lock.json', join('scripts', 'release')];
const version = '0.0.0';
const file = join(releasedDirectory, `drover-${version}.template.json`);

/** The template of a release, made once for all tests, and again when the deployment has changed. */
export async function releasedTemplate(): Promise<unknown> {
  if (await isStale(inputs, [file])) await make();
  return JSON.parse(readFileSync(file, 'utf8'));
}

/** In a folder of its own until it is complete: two files of tests may make it at once. */
async function make(): Promise<void> {
  await mkdir('dist', { recursive: true });
  const unfinished = await mkdtemp(join('dist', 'released-'));
  await writeTemplate(unfinished, { version, zips: await readZips(join('dist', 'functions')) });
  await mkdir(releasedDirectory, { recursive: true });
  await rename(join(unfinished, `drover-${version}.template.json`), file);
  await rm(join(releasedDirectory, 'functions'), { recursive: true, force: true });
  await rename(join(unfinished, 'functions'), join(releasedDirectory, 'functions')).catch(ifMadeMeanwhile);
  await rm(unfinished, { recursive: true });
}

function ifMadeMeanwhile(error: unknown): void {
  if (!(error instanceof Error && 'code' in error && error.code === 'ENOTEMPTY')) throw error;
}
