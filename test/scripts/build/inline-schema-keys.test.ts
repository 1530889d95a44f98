import { expect, test } from 'vitest';
import { inlineSchemaKeys } from '../../../scripts/build/inline-schema-keys.ts';

const constants = 'const _a = "Actions";\nconst _b = "say \\"b\\"";\n';

test('computed keys become the literals that they stand for', () => {
  expect(inlineSchemaKeys(`${constants}x = { [_a]: 1, [_b]: _a };`)).toBe(
    `${constants}x = { "Actions": 1, "say \\"b\\"": _a };`,
  );
});

test('keys over several lines as well', () => {
  expect(inlineSchemaKeys(`${constants}x = [1, { [_b]: 1,\n    [_a]: 2 }]`)).toContain('"Actions": 2');
});

test('what is no key of a known constant stays', () => {
  const source = `${constants}x = [_a]; y = { [_unknown]: 1, [other]: 2 }; z = list[_a];`;
  expect(inlineSchemaKeys(source)).toBe(source);
});
