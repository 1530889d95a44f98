import { unzipSync } from 'fflate';
import { expect, test } from 'vitest';
import { archive } from '../../../scripts/build/archive.ts';

const code = Buffer.from('exports.handler = async () => 1;');

test('a zip holds the file and depends on nothing but its content', () => {
  const first = archive('index.cjs', code);
  expect(Buffer.from(unzipSync(first)['index.cjs'] ?? []).toString()).toBe(code.toString());
  expect(archive('index.cjs', code)).toEqual(first);
});
