import { unzipSync } from 'fflate';
import { expect, test } from 'vitest';
import { archive } from '../../../scripts/build/archive.ts';

const code = Buffer.from('exports.handler = async () => 1;');

test('a zip holds the files and depends on nothing but their content', () => {
  const first = archive({ 'index.cjs': code, 'later.cjs': Buffer.from('1') });
  expect(Buffer.from(unzipSync(first)['index.cjs'] ?? []).toString()).toBe(code.toString());
  expect(Object.keys(unzipSync(first))).toEqual(['index.cjs', 'later.cjs']);
  expect(archive({ 'index.cjs': code, 'later.cjs': Buffer.from('1') })).toEqual(first);
});
