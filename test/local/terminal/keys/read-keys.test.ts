import { PassThrough } from 'node:stream';
import { describe, expect, it } from 'vitest';
import { readsStat } from '../../../../local/terminal/keys/foreground.ts';
import { readKeys } from '../../../../local/terminal/keys/read-keys.ts';

const terminal = () => {
  const modes: boolean[] = [];
  const input = Object.assign(new PassThrough(), {
    isTTY: true,
    setRawMode: (isRaw: boolean) => modes.push(isRaw),
  });
  return { input, modes };
};

describe('readKeys', () => {
  it('hands over each key, and gives the terminal back once', () => {
    const { input, modes } = terminal();
    const pressed: string[] = [];
    const stop = readKeys(input, (chunk) => pressed.push(chunk));
    input.emit('data', 't');
    stop();
    stop();
    input.emit('data', 'q');
    expect({ pressed, modes }).toEqual({ pressed: ['t'], modes: [true, false] });
  });
});

describe('readsStat', () => {
  it.each([
    ['in the foreground', '4242 (node) S 1 4242 100 34816 4242 4194304 1', true],
    ['with a command that looks like the fields after it', '4242 (a) S 1 (b c) S 1 77 100 34816 77 0', true],
    ['in the background', '4242 (node) S 1 4242 100 34816 100 4194304 1', false],
    ['without a terminal', '4242 (node) S 1 4242 100 0 4242 4194304 1', false],
    ['without a foreground group', '4242 (node) S 1 4242 100 34816 -1 4194304 1', false],
  ])('finds a process %s', (_, stat, isInForeground) => {
    expect(readsStat(stat)).toBe(isInForeground);
  });
});
