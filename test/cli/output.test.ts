import { describe, expect, it } from 'vitest';
import { jsonLine, jsonText } from '../../cli/json-text.ts';
import { outputTo, painted, type Text } from '../../cli/output.ts';
import { oneLine, withoutControls } from '../../cli/plain-text.ts';
import { tableText } from '../../cli/table/table.ts';
import { createCliWorld } from './support.ts';

/** What a terminal with such an output would get. */
function written(text: Text, { isTerminal }: { readonly isTerminal: boolean }): string {
  let all = '';
  outputTo({ isTerminal, write: (piece) => void (all += piece) }).write(text);
  return all;
}

describe('text from a server', () => {
  it.each([
    ['colours', '\u001b[31mred\u001b[0m', 'red'],
    ['8-bit colours', '\u009b31mred', 'red'],
    ['cursor movements', 'a\u001b[2J\u001b[1;1Hb', 'ab'],
    ['a title', '\u001b]0;owned\u0007node-1', 'node-1'],
    ['a link', '\u001b]8;;https://evil.example\u001b\\click\u001b]8;;\u001b\\', 'click'],
    ['an 8-bit link', '\u009d8;;https://evil.example\u009cclick\u009d8;;\u009c', 'click'],
    ['a device control string', '\u001bP1$r0m\u001b\\x', 'x'],
    ['a reset', '\u001bcx', 'x'],
    ['an unterminated string', '\u001b]0;title', '0;title'],
    ['an escape nested in another', '\u001b\u001b[31m[32mx', '?[32mx'],
    ['a carriage return that hides the text before it', 'real\rfake', 'real?fake'],
    ['backspace and delete', 'a\u0008b\u007f', 'a?b?'],
    ['a change of text direction', 'a\u202eb', 'a?b'],
  ])('is stripped of %s', (_, text, plain) => {
    expect(withoutControls(text)).toBe(plain);
  });

  it('keeps letters of all languages, lines and tabs', () => {
    const text = 'naïve 節点 🚚\tone\ntwo\n';
    expect(withoutControls(text)).toBe(text);
    expect(withoutControls('one\r\ntwo')).toBe('one\ntwo');
  });

  it('fits into one line if each line is a message', () => {
    expect(oneLine('pod a\n\t node b is drained\n')).toBe('pod a node b is drained ');
  });

  it('cannot break a row of a table', () => {
    expect(tableText(['NAME', 'STATE'], [['a\nb', '\u001b[31mReady']])).toBe('NAME   STATE\na b    Ready\n');
  });
});

describe('an output', () => {
  const hostile = '\u001b[31mnode';

  it('styles Drover’s own text on a terminal, and strips styles from a server’s text', () => {
    expect(written([painted('bold', hostile), ' ', [hostile]], { isTerminal: true })).toBe(
      '\u001b[1mnode\u001b[22m node',
    );
  });

  it('has no styles if it goes into a pipe', () => {
    expect(written([painted('bold', hostile), ' ', [hostile]], { isTerminal: false })).toBe('node node');
  });
});

describe('JSON', () => {
  const data = { name: '\u001b[31m\u009b\u007f\u202e\u2028"', list: [1] };

  it('keeps a server’s text with its control characters escaped', () => {
    for (const text of [jsonText(data), jsonLine(data)]) {
      expect(JSON.parse(text)).toEqual(data);
      expect(withoutControls(text)).toBe(text);
    }
    expect(jsonLine(data).split('\n')).toHaveLength(2);
  });
});

describe('an error', () => {
  it('prints as one line without control sequences', async () => {
    const { run } = createCliWorld({
      beforeRequest: () => {
        throw new Error(
          '\u001b]8;;https://evil.example\u0007away\u001b]8;;\u0007\ndrover: all is well\u001b[2K',
        );
      },
    });
    const { code, err } = await run('drain', 'x');
    expect(code).toBe(1);
    expect(err).toMatch(/^drover: .*away drover: all is well\n$/);
  });
});
