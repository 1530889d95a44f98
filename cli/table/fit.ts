/** What a column of a table needs. Widths are those of a terminal. */
export interface ColumnSize {
  /** Of its widest cell, and of the widest in the short form. */
  readonly whole: number;
  readonly brief: number;
  /** How narrow it can be while another column can be left out. */
  readonly least: number;
  /** How narrow it can be before it is cut off. */
  readonly narrowest: number;
  /** Columns with the highest number are left out first; undefined if the column is never left out. */
  readonly leftOut?: number;
}

/** How a column is shown. */
export interface ColumnFit {
  /** Its place among the columns of the table. */
  readonly index: number;
  readonly width: number;
  readonly isBrief: boolean;
}

/** Between columns. */
export const gap = 3;

type Placed = ColumnSize & { readonly index: number };

/**
 * The columns that are shown in this width, and how. Whole cells come first, then short forms, then shortened cells, and the least
 * important columns are left out last. Where even that is too wide, the columns that cannot be left out are shortened further, and those past the edge are left out. Pure.
 */
export function fitColumns(sizes: readonly ColumnSize[], available: number): readonly ColumnFit[] {
  let shown: readonly Placed[] = sizes.map((size, index) => ({ ...size, index }));
  for (;;) {
    const fits =
      fitAs(shown, available, 'whole') ?? fitAs(shown, available, 'brief') ?? shrunk(shown, available);
    if (fits) return fits;
    const dropped = leastImportant(shown.filter(({ leftOut }) => leftOut !== undefined))[0];
    if (!dropped) return squeezed(seen(shown, available), available);
    shown = shown.filter((one) => one !== dropped);
  }
}

const total = (widths: readonly number[]): number =>
  widths.reduce((sum, width) => sum + width, gap * (widths.length - 1));

function fitAs(
  shown: readonly Placed[],
  available: number,
  form: 'whole' | 'brief',
): readonly ColumnFit[] | undefined {
  if (total(shown.map((size) => size[form])) > available) return undefined;
  return shown.map(({ index, [form]: width }) => ({ index, width, isBrief: form === 'brief' }));
}

/** Takes what is too much from the least important columns first; undefined if they have not that much to give. */
function shrunk(shown: readonly Placed[], available: number): readonly ColumnFit[] | undefined {
  let excess = total(shown.map(({ brief }) => brief)) - available;
  const widths = new Map<number, number>();
  for (const { index, brief, least } of leastImportant(shown)) {
    const taken = Math.min(excess, Math.max(0, brief - least));
    widths.set(index, brief - taken);
    excess -= taken;
  }
  if (excess > 0) return undefined;
  return shown.map(({ index, brief }) => ({ index, width: widths.get(index) ?? brief, isBrief: true }));
}

/** With fewer letters a cell past the edge says nothing. */
const leastSeen = 6;

/** Without the columns of which nothing could be read: they begin at the edge of the terminal, or past it. */
function seen(shown: readonly Placed[], available: number): readonly Placed[] {
  const before = shown.slice(0, -1);
  const room = available - total(before.map(({ narrowest }) => narrowest)) - gap;
  const isSeen = room >= Math.min(leastSeen, shown.at(-1)?.narrowest ?? 0);
  return isSeen || before.length === 0 ? shown : seen(before, available);
}

/** Takes what is too much from the widest of the columns that have something to give. */
function squeezed(shown: readonly Placed[], available: number): readonly ColumnFit[] {
  const fits = shown.map(({ index, least, narrowest }) => ({ index, width: least, narrowest }));
  for (let excess = total(fits.map(({ width }) => width)) - available; excess > 0; excess--) {
    const widest = fits
      .filter(({ width, narrowest }) => width > narrowest)
      .reduce<(typeof fits)[number] | undefined>(
        (most, one) => (most && most.width >= one.width ? most : one),
        undefined,
      );
    if (!widest) break;
    widest.width--;
  }
  return fits.map(({ index, width }) => ({ index, width, isBrief: true }));
}

/** Of equals the first one comes first: names before the sentence at the end. */
const leastImportant = (shown: readonly Placed[]): readonly Placed[] =>
  shown.toSorted((one, other) => (other.leftOut ?? 0) - (one.leftOut ?? 0) || one.index - other.index);
