import { mkdir, mkdtemp, readFile, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { unzipSync } from 'fflate';

/** A folder of its own with what is in a function's zip, as Lambda's /var/task. */
export async function unpack(artifact: string): Promise<string> {
  const taskRoot = await mkdtemp(join(tmpdir(), 'drover-task-'));
  for (const [name, content] of Object.entries(unzipSync(await readFile(artifact)))) {
    const path = join(taskRoot, name);
    await mkdir(dirname(path), { recursive: true });
    await writeFile(path, content);
  }
  return taskRoot;
}
