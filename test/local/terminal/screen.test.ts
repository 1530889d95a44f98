import { expect, test } from 'vitest';
import { createScreen } from '../../../local/terminal/screen.ts';

function screenOf(options: { readonly isLive: boolean; readonly columns?: number }) {
  const stream = {
    columns: options.columns ?? 80,
    written: '',
    write: (text: string) => {
      stream.written += text;
    },
  };
  return { stream, ...createScreen(stream, options) };
}

const eraseTwo = '\r\u001B[2A\u001B[0J';

test('in a pipe there are lines and no panel', () => {
  const { stream, print, panel } = screenOf({ isLive: false });
  panel(['one', 'two']);
  print('a');
  print('b');
  expect(stream.written).toBe('a\nb\n');
});

test('on a terminal lines go above the panel, which is written anew below them', () => {
  const { stream, print, panel } = screenOf({ isLive: true });
  panel(['one', 'two']);
  stream.written = '';
  print('a');
  expect(stream.written).toBe(`${eraseTwo}a\none\ntwo\n`);
});

test('a panel that says the same again is left alone', () => {
  const { stream, panel } = screenOf({ isLive: true });
  panel(['one', 'two']);
  stream.written = '';
  panel(['one', 'two']);
  expect(stream.written).toBe('');
  panel([]);
  expect(stream.written).toBe(eraseTwo);
});

test('in a terminal that has been made narrower, rows that take two are erased as two', () => {
  const { stream, panel } = screenOf({ isLive: true });
  panel(['x'.repeat(60)]);
  stream.columns = 40;
  stream.written = '';
  panel(['y']);
  expect(stream.written).toBe(`${eraseTwo}y\n`);
});
