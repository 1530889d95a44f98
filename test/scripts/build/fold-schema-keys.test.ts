import { expect, test } from 'vitest';
import { foldSchemaKeys } from '../../../scripts/build/fold-schema-keys.ts';

test('a computed key that stands for a string becomes the string', () => {
  const source = `const _xN = "xmlName";
const _i = "item";
export var List = [1, n0, "List", { [_xN]: _i, [_i]: 1 }, 0];
`;
  expect(foldSchemaKeys(source)).toContain('[1, n0, "List", { "xmlName": _i, "item": 1 }, 0]');
});

test('a key that is not a string constant of the file stays', () => {
  const source = `import { _k } from "./keys";
const _n = 3;
export var a = { [_k]: 1, [_n]: 2 };
`;
  expect(foldSchemaKeys(source)).toBe(source);
});
