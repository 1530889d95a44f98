import { rmSync } from 'node:fs';
import { mkdtemp, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

export interface PrivateFiles<Name extends string> {
  /** By their names. */
  readonly paths: Readonly<Record<Name, string>>;
  /** At once, so that it can be done while the process ends. */
  remove(): void;
}

/** Writes texts by their files' names into a new directory of their own that only its owner can look into. */
export async function writePrivateFiles<Name extends string>(
  texts: Readonly<Record<Name, string>>,
): Promise<PrivateFiles<Name>> {
  const directory = await mkdtemp(join(tmpdir(), 'cloud-sandbox-'));
  const entries = await Promise.all(
    Object.entries<string>(texts).map(async ([name, text]) => {
      const path = join(directory, name);
      await writeFile(path, text, { mode: 0o600 });
      return [name, path] as const;
    }),
  );
  return {
    paths: Object.fromEntries(entries) as Record<Name, string>,
    remove: () => rmSync(directory, { recursive: true, force: true }),
  };
}
