import { assert, property, string } from 'fast-check';
import { expect, test } from 'vitest';
import { celList, celMap, celText } from '../../../../shared/identity/web-identity/cel.ts';

test('a text is one literal of CEL, whatever is in it', () => {
  expect(celText(`d'ev "x" \\ \n`)).toBe(String.raw`'d\'ev "x" \\ \n'`);
  assert(
    property(string({ unit: 'binary-ascii' }), (text) => {
      const inside = celText(text).slice(1, -1);
      // Without its escapes it has no quote that would end it, and no line break.
      expect(inside.replaceAll(/\\(?:["'\\bfnrt]|u[0-9a-f]{4})/g, '')).not.toMatch(/['\\\n\r]/);
    }),
  );
});

test('lists and maps have their parts as literals', () => {
  expect(celList(['a', "b'"])).toBe(String.raw`['a', 'b\'']`);
  expect(celMap([['a', '[]']])).toBe(`{'a': []}`);
  expect(celMap([])).toBe('{}');
});
