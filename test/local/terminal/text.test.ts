import { stripVTControlCharacters } from 'node:util';
import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { renderLine, wrap } from '../../../local/terminal/text.ts';

const line = {
  at: 12_400,
  speaker: 'aws',
  text: 'i-1 is Terminating:Wait: waits for its lifecycle hooks',
} as const;
const plain = { columns: Number.POSITIVE_INFINITY, colour: false };

test('a line has time, speaker and text in one row of a pipe', () => {
  expect(renderLine(line, 0, plain)).toBe(
    '+ 12s aws     i-1 is Terminating:Wait: waits for its lifecycle hooks',
  );
});

test('a line on a narrow terminal wraps between words within the columns', () => {
  expect(renderLine(line, 0, { columns: 40, colour: false }).split('\n')).toEqual([
    '+ 12s aws     i-1 is Terminating:Wait:',
    '  waits for its lifecycle hooks',
  ]);
});

test('continuation rows on a wide terminal are aligned with the text', () => {
  const rows = renderLine({ ...line, text: 'word '.repeat(20) }, 0, { columns: 70, colour: false }).split(
    '\n',
  );
  expect(rows[1]).toMatch(/^ {14}word/);
});

test.each(['story', 'aws', 'problem'] as const)('colour adds no visible character: %s', (speaker) => {
  const look = { columns: 40, colour: true };
  const painted = renderLine({ ...line, speaker }, 0, look);
  expect(painted).not.toBe(stripVTControlCharacters(painted));
  expect(stripVTControlCharacters(painted)).toBe(
    renderLine({ ...line, speaker }, 0, { ...look, colour: false }),
  );
});

test('wrapping loses no word, and no row with more than one word is too long', () => {
  const words = fc.array(fc.stringMatching(/^[a-z]{1,12}$/), { minLength: 1, maxLength: 30 });
  fc.assert(
    fc.property(words, fc.integer({ min: 10, max: 60 }), (list, columns) => {
      const rows = wrap(list.join(' '), columns, 2);
      expect(rows.join(' ').split(/ +/).filter(Boolean)).toEqual(list);
      for (const row of rows) if (row.trim().includes(' ')) expect(row.length).toBeLessThanOrEqual(columns);
    }),
  );
});

test('a name in a line moves no cursor and hides no link', () => {
  const text = 'default/\u001b[2Jweb of \u001b]8;;https://evil.example\u0007node-1\u001b]8;;\u0007';
  expect(renderLine({ ...line, text }, 0, plain)).toBe('+ 12s aws     default/web of node-1');
});
