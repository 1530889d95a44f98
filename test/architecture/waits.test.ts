import { globSync, readFileSync } from 'node:fs';
import { expect, it } from 'vitest';

const patient = 'test/support/eventually.ts';

it('only `eventually` calls vi.waitFor and vi.waitUntil, which give up after one second', () => {
  const files = globSync('{test,packages/*/test}/**/*.ts', {
    exclude: ['**/node_modules/**', 'test/architecture/**'],
  });
  const waiting = files.filter((file) => /\bvi\.wait(?:For|Until)\(/.test(readFileSync(file, 'utf8')));
  expect(waiting).toEqual([patient]);
});
