import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { LicenseError, licensesText } from '../../../scripts/pack/licenses.ts';

/** A package with a manifest and other files. */
function packageWith(manifest: object, files: Readonly<Record<string, string>> = {}): string {
  const folder = mkdtempSync(join(tmpdir(), 'drover-license-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  mkdirSync(join(folder, 'lib'));
  const all = { 'package.json': JSON.stringify({ name: 'a', version: '1.0.0', ...manifest }), ...files };
  for (const [name, text] of Object.entries(all)) writeFileSync(join(folder, name), text);
  return folder;
}

test('each text is there once, below all packages that have it', async () => {
  const text = await licensesText([
    packageWith({ name: 'b', license: 'MIT' }, { LICENSE: 'one\r\ntext\n' }),
    packageWith({ name: 'a', license: 'MIT' }, { 'license.md': 'one\ntext' }),
    packageWith({ name: 'c', license: 'ISC' }, { COPYING: 'two' }),
  ]);
  expect(text.split('-'.repeat(80)).map((part) => part.trim())).toEqual([
    'a@1.0.0 (MIT)\nb@1.0.0 (MIT)\n\none\ntext',
    'c@1.0.0 (ISC)\n\ntwo',
  ]);
});

test('notices of a package are part of its text, and other files with such a name are not', async () => {
  const files = { LICENSE: 'terms', NOTICE: 'made by A', 'licenses.js': 'code', 'CopyrightNotice.txt': 'B' };
  const text = await licensesText([packageWith({ license: 'Apache-2.0' }, files)]);
  expect(text).toContain('B\n\nterms\n\nmade by A');
  expect(text).not.toContain('code');
});

test('a package under Apache-2.0 without a text gets the common one', async () => {
  const text = await licensesText([packageWith({ license: 'Apache-2.0' })]);
  expect(text).toContain(readFileSync('LICENSE', 'utf8').trim());
});

test.each([
  ['under a license of another kind', { license: 'GPL-3.0-only' }, { LICENSE: 'terms' }, 'is not one of'],
  ['under a choice of licenses', { license: '(MIT OR GPL-2.0)' }, { LICENSE: 'terms' }, 'is not one of'],
  ['that names no license', {}, { LICENSE: 'terms' }, 'is not one of'],
  ['that ships no text', { license: 'MIT' }, {}, 'ships no text of its license'],
  ['whose text is empty', { license: 'MIT' }, { LICENSE: '\n' }, 'ships no text of its license'],
])('a package %s is refused', async (_, manifest, files, reason) => {
  const failure = licensesText([packageWith(manifest, files)]);
  await expect(failure).rejects.toThrow(reason);
  await expect(failure).rejects.toBeInstanceOf(LicenseError);
});

test('Middy, which ships no text, is under the text with the copyright line of its README', async () => {
  const text = await licensesText(['node_modules/@middy/core']);
  expect(text).toContain('Permission is hereby granted');
  const [, owners = ''] =
    /Copyright \(c\) ([\d-]+) \[will Farrell\]/.exec(
      readFileSync('node_modules/@middy/core/README.md', 'utf8'),
    ) ?? [];
  expect(text).toContain(`Copyright (c) ${owners} will Farrell`);
});
