import { execFile } from 'node:child_process';
import { copyFile, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterEach, expect, test } from 'vitest';

const folders: string[] = [];

afterEach(async () => {
  for (const folder of folders.splice(0)) await rm(folder, { recursive: true });
});

/** What `npm ci` prints for a project that wants a newer Node than there is, as ours does on Node 20. */
async function install(npmrc?: string): Promise<readonly string[]> {
  const folder = await mkdtemp(join(tmpdir(), 'quiet-install-'));
  folders.push(folder);
  const manifest = { name: 'project', version: '1.0.0', engines: { node: '>=99' } };
  const lock = { ...manifest, lockfileVersion: 3, packages: { '': manifest } };
  await writeFile(join(folder, 'package.json'), JSON.stringify(manifest));
  await writeFile(join(folder, 'package-lock.json'), JSON.stringify(lock));
  if (npmrc !== undefined) await copyFile(npmrc, join(folder, '.npmrc'));
  // npm itself started the tests, perhaps with settings of its own in the environment.
  const env = Object.fromEntries(Object.entries(process.env).filter(([name]) => !/^npm_/i.test(name)));
  const { stdout, stderr } = await promisify(execFile)('npm', ['ci', '--offline'], { cwd: folder, env });
  return `${stdout}${stderr}`.split('\n').filter((line) => line.trim() !== '');
}

test('npm ci prints one line, and no warning for each package that wants a newer Node', async () => {
  expect((await install()).join('\n')).toContain('EBADENGINE');
  expect(await install('.npmrc')).toHaveLength(1);
});
