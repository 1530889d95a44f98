import Table from 'cli-table3';
import { oneLine } from './plain-text.ts';

const none = '';

/** No lines, three spaces between columns, as kubectl prints tables: easy for awk and grep. */
const plain = {
  chars: {
    top: none,
    'top-mid': none,
    'top-left': none,
    'top-right': none,
    bottom: none,
    'bottom-mid': none,
    'bottom-left': none,
    'bottom-right': none,
    left: none,
    'left-mid': none,
    mid: none,
    'mid-mid': none,
    right: none,
    'right-mid': none,
    middle: '   ',
  },
  style: { 'padding-left': 0, 'padding-right': 0, head: [], border: [], compact: true },
};

/** A table with a header, as text that ends with a line break. */
export function tableText(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const table = new Table({ ...plain, head: [...head] });
  table.push(...rows.map((row) => row.map(oneLine)));
  return `${table
    .toString()
    .split('\n')
    .map((line) => line.trimEnd())
    .join('\n')}\n`;
}
