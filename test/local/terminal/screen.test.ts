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

test('a pipe gets lines and no panel', () => {
  const { stream, print, panel } = screenOf({ isLive: false });
  panel(['one', 'two']);
  print('a');
  print('b');
  expect(stream.written).toBe('a\nb\n');
});

test('a terminal gets lines above the panel, which is redrawn below them', () => {
  const { stream, print, panel } = screenOf({ isLive: true });
  panel(['one', 'two']);
  stream.written = '';
  print('a');
  expect(stream.written).toBe(`${eraseTwo}a\none\ntwo\n`);
});

test('an unchanged panel is not redrawn', () => {
  const { stream, panel } = screenOf({ isLive: true });
  panel(['one', 'two']);
  stream.written = '';
  panel(['one', 'two']);
  expect(stream.written).toBe('');
  panel([]);
  expect(stream.written).toBe(eraseTwo);
});

test('a row that wraps in a narrowed terminal is erased as two rows', () => {
  const { stream, panel } = screenOf({ isLive: true });
  panel(['x'.repeat(60)]);
  stream.columns = 40;
  stream.written = '';
  panel(['y']);
  expect(stream.written).toBe(`${eraseTwo}y\n`);
});
