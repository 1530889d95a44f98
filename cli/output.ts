import { withoutControls } from './plain-text.ts';

/** The SGR parameters that set a style and that end it (ECMA-48, 8.3.117). */
const styles = { bold: [1, 22], red: [31, 39], green: [32, 39], yellow: [33, 39], gray: [90, 39] } as const;

/** Styled text. Unstyled if the output is not a terminal. */
export interface Painted {
  readonly style: keyof typeof styles;
  readonly text: string;
}

/** What a command prints, in pieces. */
export type Text = string | Painted | readonly Text[];

export const painted = (style: Painted['style'], text: string): Painted => ({ style, text });

/** Where text goes: a stream of the process, or what a test has in its place. */
export interface TextStream {
  write(text: string): void;
  /** An interactive terminal: colour and live progress. */
  readonly isTerminal: boolean;
  /** The width of the terminal now; undefined in a pipe and if the terminal does not report it. */
  readonly columns?: number | undefined;
}

/** Where a command's words go. Controls in them are removed, for they may come from a server; styles are pieces of their own. */
export interface Output {
  write(text: Text): void;
  /** Clears the screen of a terminal. */
  clear(): void;
  readonly isTerminal: boolean;
  readonly columns?: number | undefined;
}

/** The only way of a command's words to a stream. */
export const outputTo = (stream: TextStream): Output => ({
  isTerminal: stream.isTerminal,
  get columns() {
    return stream.columns;
  },
  write: (text) => stream.write(rendered(text, stream.isTerminal)),
  clear: () => stream.write('\u001b[H\u001b[2J'),
});

/** The text as a stream gets it. */
export function rendered(text: Text, hasStyles: boolean): string {
  if (typeof text === 'string') return withoutControls(text);
  if (!('style' in text)) return text.map((piece) => rendered(piece, hasStyles)).join('');
  const [begin, end] = styles[text.style];
  const plain = withoutControls(text.text);
  return hasStyles ? `\u001b[${begin}m${plain}\u001b[${end}m` : plain;
}
