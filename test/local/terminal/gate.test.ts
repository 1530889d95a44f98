import { expect, test } from 'vitest';
import { createGate } from '../../../local/terminal/gate.ts';

test('callers wait in their order until the gate opens, and are dropped once it is closed', () => {
  const gate = createGate<string>();
  const seen: string[] = [];
  const add = (name: string): void => gate.pass((thing) => seen.push(`${name} ${thing}`));
  add('first');
  add('second');
  expect(seen).toEqual([]);
  gate.open('thing');
  add('third');
  gate.close();
  add('fourth');
  expect(seen).toEqual(['first thing', 'second thing', 'third thing']);
});
