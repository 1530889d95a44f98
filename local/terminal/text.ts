import { styleText } from 'node:util';
import { withoutControls } from '../../cli/plain-text.ts';
import type { Line, Speaker } from '../story/line.ts';

export interface Look {
  /** Characters in a row; Infinity: lines are not wrapped. */
  readonly columns: number;
  readonly colour: boolean;
}

type Style = Parameters<typeof styleText>[0];

const styles: Readonly<Record<Speaker, Style>> = {
  story: 'bold',
  aws: 'yellow',
  node: 'cyan',
  request: 'yellow',
  pod: 'green',
  dns: 'blue',
  etcd: 'cyan',
  drover: 'magenta',
  problem: 'red',
};

export const paint = (style: Style, text: string, { colour }: Look): string =>
  colour ? styleText(style, text, { validateStream: false }) : text;

/**
 * `+ 12 s  aws     i-0123 is Terminating:Wait`, broken between words where the terminal is narrow. Names in the text may come
 * from a program beside the sandbox: their controls are removed.
 */
export function renderLine(line: Line, startedAt: number, look: Look): string {
  const seconds = Math.max(0, Math.round((line.at - startedAt) / 1000));
  const time = `+${String(seconds).padStart(3)}s`;
  const speaker = line.speaker.padEnd(7);
  const indent = look.columns < narrowColumns ? 2 : time.length + speaker.length + 2;
  const rows = wrap(`${time} ${speaker} ${withoutControls(line.text)}`, look.columns, indent);
  return rows.map((row, index) => paintRow(row, { line, look, isFirst: index === 0, time })).join('\n');
}

/** On a narrower terminal, continuation rows are aligned with the start of the line instead of its text. */
const narrowColumns = 60;

function paintRow(
  row: string,
  {
    line,
    look,
    isFirst,
    time,
  }: { readonly line: Line; readonly look: Look; readonly isFirst: boolean; readonly time: string },
): string {
  const style = styles[line.speaker];
  if (line.speaker === 'story' || line.speaker === 'problem') return paint(style, row, look);
  if (!isFirst) return row;
  const end = time.length + 1 + line.speaker.length;
  const label = row.slice(time.length + 1, end);
  return `${paint('dim', row.slice(0, time.length), look)} ${paint(style, label, look)}${row.slice(end)}`;
}

/** Wraps a text between words. A word that is longer than a row has its own row. Further rows are indented. */
export function wrap(text: string, columns: number, indent: number): readonly string[] {
  const rows: string[] = [];
  let row = '';
  for (const word of text.split(/(?<= )(?=[^ ])/)) {
    if (row.trim() !== '' && row.length + word.trimEnd().length > columns) {
      rows.push(row.trimEnd());
      row = ' '.repeat(indent);
    }
    row += word;
  }
  return [...rows, row.trimEnd()];
}

/** Cuts a row to the terminal. */
export const fit = (row: string, columns: number): string =>
  row.length <= columns ? row : `${row.slice(0, Math.max(0, columns - 1))}…`;
