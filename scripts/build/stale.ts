import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';

/**
 * Whether something of `inputs` is younger than the oldest of `outputs`, or one of these is not there. A folder stands for
 * every file below it.
 *
 * @throws what the file system answered, unless it is that a path does not exist.
 */
export async function isStale(inputs: readonly string[], outputs: readonly string[]): Promise<boolean> {
  const made = await Promise.all(outputs.map(timesUnder));
  if (made.some((times) => times.length === 0)) return true;
  const changed = (await Promise.all(inputs.map(timesUnder))).flat();
  return Math.max(...changed) > Math.min(...made.flat());
}

/** When each file there was last modified, in epoch milliseconds; empty if there is no file. */
async function timesUnder(path: string): Promise<readonly number[]> {
  const found = await statOf(path);
  if (!found?.isDirectory()) return found ? [found.mtimeMs] : [];
  const entries = await readdir(path, { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
  return (await Promise.all(files.map(statOf))).flatMap((file) => file?.mtimeMs ?? []);
}

async function statOf(path: string) {
  try {
    return await stat(path);
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return undefined;
    throw error;
  }
}
