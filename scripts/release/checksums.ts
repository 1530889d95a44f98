import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { join, relative } from 'node:path';

/** Every file below a directory, by its path from there, in order. */
export async function filesUnder(directory: string): Promise<readonly string[]> {
  const entries = await readdir(directory, { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile());
  return files.map(({ parentPath, name }) => relative(directory, join(parentPath, name))).sort();
}

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
