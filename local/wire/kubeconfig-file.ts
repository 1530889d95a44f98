import { rmSync } from 'node:fs';
import { mkdtemp, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

export interface KubeconfigFile {
  readonly path: string;
  /** At once, so that it can be done while the process ends. */
  remove(): void;
}

/** Writes a kubeconfig into a new directory of its own that only its owner can look into. */
export async function writeKubeconfig(text: string): Promise<KubeconfigFile> {
  const directory = await mkdtemp(join(tmpdir(), 'drover-sandbox-'));
  const path = join(directory, 'kubeconfig');
  await writeFile(path, text, { mode: 0o600 });
  return { path, remove: () => rmSync(directory, { recursive: true, force: true }) };
}
