import { stripVTControlCharacters } from 'node:util';

/** The part of a stream that the sandbox writes to. */
export interface TerminalStream {
  write(text: string): unknown;
  readonly isTTY?: boolean;
  readonly columns?: number;
}

/** Text that scrolls, above a panel that stays. */
export interface Screen {
  readonly print: (text: string) => void;
  /** Replaces the panel. Does nothing in a pipe. */
  readonly panel: (rows: readonly string[]) => void;
}

/** How many rows of the terminal they take, which may have been made narrower since. */
const heightOf = (rows: readonly string[], columns: number): number =>
  rows.reduce((sum, row) => sum + Math.max(1, Math.ceil(stripVTControlCharacters(row).length / columns)), 0);

/** Cursor to the beginning of the first of these rows (what is typed moves it, `^C` too), and everything below erased (ECMA-48: CUU, ED). */
function erase(rows: readonly string[], columns: number): string {
  const height = heightOf(rows, columns);
  return height === 0 ? '' : `\r\u001B[${height}A\u001B[0J`;
}

/** In a pipe there is no panel, and lines are written unchanged. */
export function createScreen(stream: TerminalStream, { isLive }: { readonly isLive: boolean }): Screen {
  let rows: readonly string[] = [];
  const lines = (texts: readonly string[]): string => texts.map((text) => `${text}\n`).join('');
  const erased = (): string => erase(rows, stream.columns ?? 80);
  return {
    print: (text) => {
      stream.write(isLive ? `${erased()}${lines([text, ...rows])}` : lines([text]));
    },
    panel: (next) => {
      if (!isLive || next.join('\n') === rows.join('\n')) return;
      stream.write(`${erased()}${lines(next)}`);
      rows = next;
    },
  };
}
