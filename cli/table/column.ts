import type { Output } from '../output.ts';

/** A column of a table, and what may happen to it on a terminal that is too narrow. A string is a column that stays whole. */
export interface Column {
  readonly head: string;
  /** A shorter form of a cell in which nothing is lost, such as a host name without its domain. */
  readonly brief?: (cell: string) => string;
  /** The width down to which cells are shortened; undefined if cells stay whole. */
  readonly least?: number;
  /** Where cells are shortened; absent: in the middle. */
  readonly cutAt?: 'middle' | 'end';
  /** Columns with the highest number are left out first; undefined if the column is never left out. */
  readonly leftOut?: number;
}

/** How wide tables may be. */
export interface TableView {
  /** The width of the terminal; undefined for pipes, files and `-o wide`: tables are whole and times are in UTC. */
  readonly columns?: number;
}

/** For pipes: everything. */
export const wholeView: TableView = {};

/** The view of an output: tables fit a terminal. */
export const viewOf = ({ columns }: Pick<Output, 'columns'>): TableView =>
  columns === undefined ? wholeView : { columns };

/** A sentence, which is cut at its end. */
export const sentence = (head: string, options: Pick<Column, 'leftOut'> = {}): Column => ({
  head,
  least: 30,
  cutAt: 'end',
  ...options,
});

/** A name that people know by its beginning and its end. */
export const named = (head: string, options: Pick<Column, 'leftOut' | 'brief'> = {}): Column => ({
  head,
  least: 12,
  ...options,
});
