import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';

export interface Zip {
  readonly functionName: string;
  /** Its name below the prefix: with a hash of the content, so that an upgrade leaves a function alone whose code is the same. */
  readonly key: string;
  readonly content: Uint8Array;
}

const hashCharacters = 16;

/** The zips of the functions in a directory. */
export async function readZips(directory: string): Promise<readonly Zip[]> {
  const files = (await readdir(directory)).filter((file) => file.endsWith('.zip')).sort();
  return Promise.all(
    files.map(async (file) => {
      const content = await readFile(join(directory, file));
      const functionName = file.replace(/\.zip$/, '');
      const hash = createHash('sha256').update(content).digest('hex').slice(0, hashCharacters);
      return { functionName, key: `functions/${functionName}-${hash}.zip`, content };
    }),
  );
}
