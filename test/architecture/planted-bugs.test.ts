import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { plantedBugs } from '../heavy/planted/planted-bugs.ts';
import { revertedFixes } from '../heavy/planted/reverted-fixes.ts';

it.each([...plantedBugs, ...revertedFixes])(
  'the source still has the one place where a bug is planted: $name',
  ({ file, search }) => {
    expect(readFileSync(file, 'utf8').split(search).length - 1).toBe(1);
  },
);
