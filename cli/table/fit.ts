/** What a column of a table needs. Widths are those of a terminal. */
export interface ColumnSize {
  /** Of its widest cell, and of the widest in the short form. */
  readonly whole: number;
  readonly brief: number;
  /** How narrow it can be. */
  readonly least: number;
  /** Columns with the highest number are left out first. Absent: the column is never left out. */
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
 * important columns are left out last. Where even that is too wide, the columns that cannot be left out are as narrow as they can be. Pure.
 */
export function fitColumns(sizes: readonly ColumnSize[], available: number): readonly ColumnFit[] {
  let shown: readonly Placed[] = sizes.map((size, index) => ({ ...size, index }));
  for (;;) {
    const fits =
      fitAs(shown, available, 'whole') ?? fitAs(shown, available, 'brief') ?? shrunk(shown, available);
    if (fits) return fits;
    const dropped = leastImportant(shown.filter(({ leftOut }) => leftOut !== undefined))[0];
    if (!dropped) return shown.map(({ index, least }) => ({ index, width: least, isBrief: true }));
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

/** Of equals the first one comes first: names before the sentence at the end. */
const leastImportant = (shown: readonly Placed[]): readonly Placed[] =>
  shown.toSorted((one, other) => (other.leftOut ?? 0) - (one.leftOut ?? 0) || one.index - other.index);
