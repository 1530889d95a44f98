import { describe, expect, test } from 'vitest';
import { flagWords } from '../../../../shared/identity/web-identity/flag-words.ts';

const wordsOf = (text: string) => flagWords(text).map((word) => word.text);

describe('the words of a file', () => {
  test('are the items of each list of YAML, as they are, and no item is followed on its line', () => {
    expect(flagWords('spec: {containers: [{command: [k, "--a=b c"], args: ["a b ", -v]}]}')).toEqual(
      ['k', '--a=b c', 'a b ', '-v'].map((text) => ({ text, isFollowed: false })),
    );
  });

  test('are also those of texts beside lists, and nothing of numbers, and of values that are missing', () => {
    expect(wordsOf('a: sh --x=1\nb: 5\nc:\nd: [5, null, true, [--y=2]]\n')).toEqual(['sh', '--x=1', '--y=2']);
  });

  test('are those of a shell in an item', () => {
    expect(flagWords('command: [sh, -c, "exec k --a=b c"]')).toEqual([
      { text: 'sh', isFollowed: false },
      { text: '-c', isFollowed: false },
      { text: 'exec', isFollowed: true },
      { text: 'k', isFollowed: true },
      { text: '--a=b', isFollowed: true },
      { text: 'c', isFollowed: false },
    ]);
  });

  test.each([
    ['a map', 'extraArgs: {a: b c, d: 5}'],
    ['a list', 'extraArgs: [{name: a, value: b c}, {name: d, value: "5"}]'],
  ])('are the extraArgs of kubeadm as %s', (_, text) => {
    expect(flagWords(text)).toEqual([
      { text: '--a=b c', isFollowed: false },
      { text: '--d=5', isFollowed: false },
    ]);
  });

  test('are nothing of extraArgs that are empty, and survive an item that is none', () => {
    expect(wordsOf('extraArgs:\nargs: [--a=b]')).toEqual(['--a=b']);
    expect(wordsOf('extraArgs: [null, {name: a, value: b}]')).toContain('--a=b');
  });

  test('are those of every document, and none of metadata', () => {
    expect(wordsOf('metadata: {x: "k --no=1"}\nargs: [--a=1]\n---\nargs: [--b=2]\n---\ntext')).toEqual([
      '--a=1',
      '--b=2',
      'text',
    ]);
  });

  test.each([
    ['a unit of systemd', '[Service]\nExecStart=k --a=b\n', ['[Service]', 'ExecStart=k', '--a=b']],
    ['a flag that YAML takes for a key', '--a=b: --c=d', ['--a=b:', '--c=d']],
    ['a line that YAML takes for a key', 'k --a=b: --c=d', ['k', '--a=b:', '--c=d']],
    ['a flag that is a key deep in a list', '- x\n- - --a=b:\n', ['-', 'x', '-', '-', '--a=b:']],
    ['one document of several that is no YAML', 'a: [--b=c]\n---\n- {\n', ['a:', '[--b=c]', '---', '-', '{']],
    ['one flag', '--a=b', ['--a=b']],
    ['nothing', '', []],
  ])('are those of a text where it is no YAML: %s', (_, text, words) => {
    expect(wordsOf(text)).toEqual(words);
  });

  test('are those of a text where aliases would make a short text a long one', () => {
    const bomb = `a: &a [x,x,x]\n${'bcdefghi'
      .split('')
      .map((name, index) => `${name}: &${name} [${`*${'abcdefgh'[index]},`.repeat(9)}]`)
      .join('\n')}\nargs: [--a=b]`;
    expect(wordsOf(bomb)).toContain('args:');
  });
});
