import { chmod, mkdir, open, readFile, rename, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { isMissingFile } from '../missing-file.ts';

/** The content of files by their path below a folder. */
export type Files = ReadonlyMap<string, string>;

/** The files that exist. */
export async function readFiles(folder: string, paths: readonly string[]): Promise<Files> {
  const found = await Promise.all(
    paths.map(async (path) => [path, await readOrNothing(join(folder, path))] as const),
  );
  return new Map(found.filter((entry): entry is readonly [string, string] => entry[1] !== undefined));
}

async function readOrNothing(path: string): Promise<string | undefined> {
  try {
    return await readFile(path, 'utf8');
  } catch (error) {
    if (isMissingFile(error)) return undefined;
    throw error;
  }
}

/** 0600 for what is secret, 0644 for the rest. */
const modeOf = (path: string): number => (path.endsWith('.key') ? 0o600 : 0o644);

const beside = (path: string): string => `${path}.part`;

/**
 * Writes files so that each is whole or as it was: all are on disk under another name before the first takes its place. Folders
 * that are missing are made readable only by the owner. A kill between two renames leaves a pair that `drover pki inspect` reports.
 */
export async function writeFiles(folder: string, files: Files): Promise<void> {
  const targets = [...files].map(([path, content]) => ({ path: join(folder, path), content }));
  try {
    for (const { path, content } of targets) await writePart(path, content);
    for (const { path } of targets) await rename(beside(path), path);
  } catch (error) {
    await Promise.all(targets.map(({ path }) => rm(beside(path), { force: true })));
    throw error;
  }
}

async function writePart(path: string, content: string): Promise<void> {
  await mkdir(dirname(path), { recursive: true, mode: 0o700 });
  await rm(beside(path), { force: true });
  const file = await open(beside(path), 'wx', modeOf(path));
  try {
    await file.writeFile(content);
    await file.sync();
  } finally {
    await file.close();
  }
  // The mask of the process may have taken something away.
  await chmod(beside(path), modeOf(path));
}
