import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { allowances } from '../../../scripts/words/allowances.ts';
import { hitsIn } from '../../../scripts/words/hits.ts';

test.each(allowances)('the allowance for "$text" is needed: $reason', ({ file, text }) => {
  const content = readFileSync(file, 'utf8');
  expect(content).toContain(text);
  expect(hitsIn(file, content)).toEqual([]);
  expect(hitsIn(`elsewhere/${file}`, content)).not.toEqual([]);
});
