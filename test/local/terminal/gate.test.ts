import { expect, test } from 'vitest';
import { createGate } from '../../../local/terminal/gate.ts';

test('what comes early waits, in its order; what comes late is let through no more', () => {
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
