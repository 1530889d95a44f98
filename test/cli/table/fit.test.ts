import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type ColumnSize, fitColumns, gap } from '../../../cli/table/fit.ts';

const size = (part: Partial<ColumnSize> & { readonly whole: number }): ColumnSize => {
  const brief = part.brief ?? part.whole;
  const least = part.least ?? brief;
  return { brief, least, narrowest: least, ...part };
};

const shown = (sizes: readonly ColumnSize[], available: number) =>
  fitColumns(sizes, available).map(({ index, width, isBrief }) => [
    index,
    width,
    isBrief ? 'brief' : 'whole',
  ]);

const table = [
  size({ whole: 40, brief: 13, least: 12 }),
  size({ whole: 19 }),
  size({ whole: 14, least: 12, leftOut: 2 }),
  size({ whole: 10, leftOut: 1 }),
  size({ whole: 60, least: 30 }),
];

describe('the columns of a table', () => {
  it('are whole if they fit exactly', () => {
    expect(shown(table, 155).map(([, width]) => width)).toEqual([40, 19, 14, 10, 60]);
    expect(shown(table, 155).every(([, , form]) => form === 'whole')).toBe(true);
  });

  it('take short forms before anything is lost', () => {
    expect(shown(table, 154)).toEqual([
      [0, 13, 'brief'],
      [1, 19, 'brief'],
      [2, 14, 'brief'],
      [3, 10, 'brief'],
      [4, 60, 'brief'],
    ]);
  });

  it('are shortened by just as much as is needed: the least important first, then names, and sentences last', () => {
    const widths = (available: number) => shown(table, available).map(([, width]) => width);
    expect(widths(127)).toEqual([13, 19, 13, 10, 60]);
    expect(widths(125)).toEqual([12, 19, 12, 10, 60]);
    expect(widths(124)).toEqual([12, 19, 12, 10, 59]);
    expect(widths(95)).toEqual([12, 19, 12, 10, 30]);
  });

  it('are left out by their importance, and then the others have their width', () => {
    expect(shown(table, 94)).toEqual([
      [0, 12, 'brief'],
      [1, 19, 'brief'],
      [3, 10, 'brief'],
      [4, 44, 'brief'],
    ]);
    expect(shown(table, 79).map(([index]) => index)).toEqual([0, 1, 4]);
  });

  it('return to whole names once enough columns are left out', () => {
    const names = [size({ whole: 30, brief: 10 }), size({ whole: 25, leftOut: 1 })];
    expect(shown(names, 37)).toEqual([[0, 30, 'whole']]);
  });

  it('that stay are shortened further, the widest first, before one is cut off', () => {
    const holds = [
      size({ whole: 255, least: 12, narrowest: 6 }),
      size({ whole: 64, least: 12, narrowest: 6 }),
      size({ whole: 5 }),
      size({ whole: 7 }),
    ];
    const widths = (available: number) => shown(holds, available).map(([, width]) => width);
    expect(widths(45)).toEqual([12, 12, 5, 7]);
    expect(widths(44)).toEqual([11, 12, 5, 7]);
    expect(widths(40)).toEqual([9, 10, 5, 7]);
    expect(widths(33)).toEqual([6, 6, 5, 7]);
  });

  it('of which nothing could be read past the edge are left out, and the others have their width', () => {
    const instances = [
      size({ whole: 12, narrowest: 6 }),
      size({ whole: 19 }),
      size({ whole: 12, narrowest: 6 }),
      size({ whole: 30, narrowest: 9 }),
    ];
    expect(shown(instances, 49).map(([, width]) => width)).toEqual([6, 19, 6, 9]);
    expect(shown(instances, 45).map(([, width]) => width)).toEqual([10, 19, 10]);
    expect(shown(instances, 40).map(([, width]) => width)).toEqual([7, 19, 8]);
    expect(shown(instances, 5).map(([index]) => index)).toEqual([0]);
  });

  it('never take more than the terminal has, unless those that must stay do', () => {
    const sizes = fc.array(
      fc
        .tuple(fc.nat(60), fc.nat(60), fc.nat(60), fc.nat(60), fc.option(fc.nat(5), { nil: undefined }))
        .map(([a, b, c, d, leftOut]): ColumnSize => {
          const [narrowest = 0, least = 0, brief = 0, whole = 0] = [a, b, c, d].toSorted(
            (one, other) => one - other,
          );
          return { narrowest, least, brief, whole, ...(leftOut !== undefined && { leftOut }) };
        }),
      { minLength: 1, maxLength: 8 },
    );
    fc.assert(
      fc.property(sizes, fc.nat(250), (all, available) => {
        const fits = fitColumns(all, available);
        const used = fits.reduce((sum, { width }) => sum + width, gap * (fits.length - 1));
        const must = all.flatMap(({ leftOut }, index) => (leftOut === undefined ? [index] : []));
        const kept = fits.flatMap(({ index }) => (must.includes(index) ? [index] : []));
        const isNarrowest = fits.every(({ index, width }) => width === all[index]?.narrowest);
        expect(used <= available || isNarrowest).toBe(true);
        expect(kept).toEqual(must.slice(0, kept.length));
        expect(used <= available || fits.length === kept.length).toBe(true);
        expect(fits.every(({ index, width }) => width >= (all[index]?.narrowest ?? 0))).toBe(true);
      }),
    );
  });
});
