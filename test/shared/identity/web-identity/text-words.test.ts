import { describe, expect, test } from 'vitest';
import { isCommandLine, textWords } from '../../../../shared/identity/web-identity/text-words.ts';

const wordsOf = (text: string) => textWords(text).map((word) => word.text);

describe('the words of a text', () => {
  test.each([
    ['', []],
    ['\n\n', []],
    ['  a   b\t c  ', ['a', 'b', 'c']],
    ['a\nb\r\nc', ['a', 'b', 'c']],
    ['a \\\n  b \\\r\n c', ['a', 'b', 'c']],
    ['\'a b\' "c d" e\\ f', ['a b', 'c d', 'e f']],
    ['--x=\'a b\'"c d"e', ['--x=a bc de']],
    ['--x=""', ['--x=']],
    ['"a \\"b\\" \\\\ \\$c \\d"', ['a "b" \\ $c \\d']],
    ["'a \\b'", ['a \\b']],
    ['a # b c\n# d\nb#c', ['a', 'b#c']],
    ['a#b c', ['a#b', 'c']],
  ])('are parted as a shell parts them: %j', (text, words) => {
    expect(wordsOf(text)).toEqual(words);
  });

  test.each([
    ['ARGS="--a=b --c=d e"', ['--a=b', '--c=d', 'e']],
    ["ARGS='--a=b'", ['--a=b']],
    ['"exec kube-apiserver --a=b"', ['exec', 'kube-apiserver', '--a=b']],
    ['"--a=b --c=d"', ['--a=b --c=d']],
    ['"a b"', ['a b']],
    ['"a b--c"', ['a b--c']],
    ['MY=a=--b', ['MY=a=--b']],
  ])('are parted again in a command line within quotes: %j', (text, words) => {
    expect(wordsOf(text)).toEqual(words);
  });

  test('know whether another stands behind them on their line', () => {
    expect(textWords('a b\nc \\\n d\n')).toEqual([
      { text: 'a', isFollowed: true },
      { text: 'b', isFollowed: false },
      { text: 'c', isFollowed: true },
      { text: 'd', isFollowed: false },
    ]);
  });
});

test('a command line begins with no flag, and has one', () => {
  expect(['A=--b', 'sh --b', 'sh -c x\n--b'].every(isCommandLine)).toBe(true);
  expect(['--b', '--b --c', 'sh -c', 'a--b', '=--b', 'A= --'].some(isCommandLine)).toBe(false);
});
