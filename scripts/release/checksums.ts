import { createHash } from 'node:crypto';
import type { Dirent } from 'node:fs';
import { readdir, readFile } from 'node:fs/promises';
import { join, relative } from 'node:path';

/** Every file below a directory, by its path from there, in order. */
export async function filesUnder(directory: string): Promise<readonly string[]> {
  return filePaths(directory, await readdir(directory, { recursive: true, withFileTypes: true }));
}

type Entry = Pick<Dirent, 'isFile' | 'name' | 'parentPath'>;

/** The paths of the files of a listing from the directory, in order: `readdir` lists them as the file system does, and a folder after its siblings. Pure. */
export const filePaths = (directory: string, entries: readonly Entry[]): readonly string[] =>
  entries
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => relative(directory, join(parentPath, name)))
    .sort();

/** The lines that `sha256sum --check` reads. */
export async function checksumsOf(directory: string, files: readonly string[]): Promise<string> {
  const lines = await Promise.all(
    files.map(async (file) => {
      const content = await readFile(join(directory, file));
      return `${createHash('sha256').update(content).digest('hex')}  ${file}\n`;
    }),
  );
  return lines.join('');
}
