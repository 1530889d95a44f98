import { execFileSync } from 'node:child_process';
import { chmodSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { withUsualModes } from '../../../scripts/release/tar-modes.ts';

function packed(modes: Readonly<Record<string, number>>): Uint8Array {
  const folder = mkdtempSync(join(tmpdir(), 'drover-tar-'));
  for (const [name, mode] of Object.entries(modes)) {
    writeFileSync(join(folder, name), name.repeat(300));
    chmodSync(join(folder, name), mode);
  }
  const names = Object.keys(modes);
  const fixed = ['--owner=0', '--group=0', '--numeric-owner', '--mtime=@0', '--format=ustar'];
  execFileSync('tar', ['--create', '--gzip', '--file', 'a.tgz', ...fixed, ...names], { cwd: folder });
  const bytes = readFileSync(join(folder, 'a.tgz'));
  rmSync(folder, { recursive: true });
  return bytes;
}

test('a package has the same bytes whatever the umask of the checkout was, and tar reads it', () => {
  const [wide, narrow] = [packed({ run: 0o755, read: 0o644 }), packed({ run: 0o700, read: 0o600 })].map(
    withUsualModes,
  );
  expect(Buffer.from(wide ?? [])).toEqual(Buffer.from(narrow ?? []));
  const listed = execFileSync('tar', ['--list', '--verbose', '--gzip', '--file', '-'], {
    input: wide,
  }).toString();
  expect(
    listed
      .split('\n')
      .map((line) => `${line.slice(0, 10)} ${line.split(' ').at(-1)}`)
      .slice(0, 2),
  ).toEqual(['-rwxr-xr-x run', '-rw-r--r-- read']);
});
