import { oneLine } from '../plain-text.ts';
import { type Column, type TableView, wholeView } from './column.ts';
import { type ColumnSize, fitColumns, gap } from './fit.ts';
import { shorten, widthOf } from './shorten.ts';

/**
 * A table with a header, as text that ends with a line break: no lines, three spaces between columns, as kubectl prints tables. No line is
 * wider than the terminal.
 */
export function tableText(
  head: readonly (string | Column)[],
  rows: readonly (readonly string[])[],
  { columns: available = Number.POSITIVE_INFINITY }: TableView = wholeView,
): string {
  const columns = head.map((one) => (typeof one === 'string' ? { head: one } : one));
  const lines = rows.map((row) => columns.map((_, index) => oneLine(row[index] ?? '')));
  const fits = fitColumns(
    columns.map((column, index) =>
      sizeOf(
        column,
        lines.map((line) => line[index] ?? ''),
      ),
    ),
    available,
  );
  const textOf = (cells: readonly string[], isHead: boolean): string => {
    const shown = fits.map(({ index, width, isBrief }) => {
      const { brief, cutAt = 'middle' } = columns[index] ?? {};
      const cell = cells[index] ?? '';
      return padded(shorten(brief && isBrief && !isHead ? brief(cell) : cell, width, cutAt), width);
    });
    return `${shorten(shown.join(' '.repeat(gap)).trimEnd(), available, 'end')}\n`;
  };
  return [
    textOf(
      columns.map((column) => column.head),
      true,
    ),
    ...lines.map((line) => textOf(line, false)),
  ].join('');
}

/** Of a cell that may be shortened: two letters of its end are left. */
const narrowestCell = 6;

function sizeOf({ head, brief, least, leftOut }: Column, cells: readonly string[]): ColumnSize {
  const widest = (texts: readonly string[]): number =>
    texts.reduce((most, text) => Math.max(most, widthOf(text)), widthOf(head));
  const whole = widest(cells);
  const short = brief ? widest(cells.map(brief)) : whole;
  const atLeast = (width = short): number => Math.min(short, Math.max(width, widthOf(head)));
  return {
    whole,
    brief: short,
    least: atLeast(least),
    narrowest: atLeast(least && narrowestCell),
    ...(leftOut !== undefined && { leftOut }),
  };
}

const padded = (text: string, width: number): string => text + ' '.repeat(Math.max(0, width - widthOf(text)));
