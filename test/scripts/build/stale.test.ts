import { mkdir, mkdtemp, rm, symlink, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { isStale } from '../../../scripts/build/stale.ts';

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'stale-'));
});
afterAll(() => rm(folder, { recursive: true }));

/** A file that was last modified at this second. */
async function file(name: string, second: number): Promise<string> {
  const path = join(folder, name);
  await mkdir(join(path, '..'), { recursive: true });
  await writeFile(path, '');
  await utimes(path, second, second);
  return path;
}

describe('a build', () => {
  it('is stale when a source file, however deep, is newer than its oldest output', async () => {
    const outputs = [await file('made/one.zip', 100), await file('made/two.zip', 300)];
    const inputs = [join(folder, 'source')];
    await file('source/deep/below/a.ts', 99);
    expect(await isStale(inputs, outputs)).toBe(false);
    await file('source/deep/below/b.ts', 200);
    expect(await isStale(inputs, outputs)).toBe(true);
  });

  it('is stale when an output is missing', async () => {
    const made = await file('made/one.zip', 100);
    expect(await isStale([], [made])).toBe(false);
    expect(await isStale([], [made, join(folder, 'made/none.zip')])).toBe(true);
  });

  it('is not treated as missing when the file system fails', async () => {
    const loop = join(folder, 'loop');
    await symlink(loop, loop);
    await expect(isStale([], [loop])).rejects.toMatchObject({ code: 'ELOOP' });
  });
});
