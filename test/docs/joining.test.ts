import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { joiningTags } from '../../shared/joining/settings.ts';

const text = readFileSync('docs/joining.md', 'utf8');

it('docs/joining.md lists every tag of a group’s settings, with its allowed values', () => {
  const documented = [...text.matchAll(/^\| `(drover\.dev\/[\w-]+)` \| ([^|]+) \|/gm)].map(
    ([, tag, allowed]) => [tag, allowed],
  );
  expect(documented).toEqual(Object.entries(joiningTags).map(([key, { allowed }]) => [key, allowed]));
});
