import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type ColumnSize, fitColumns, gap } from '../../../cli/table/fit.ts';

const size = (part: Partial<ColumnSize> & { readonly whole: number }): ColumnSize => {
  const brief = part.brief ?? part.whole;
  return { brief, least: brief, ...part };
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
  it('are whole where they fit exactly', () => {
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

  it('that stay are as narrow as they can be where the terminal is too narrow for all of them', () => {
    expect(shown(table, 40)).toEqual([
      [0, 12, 'brief'],
      [1, 19, 'brief'],
      [4, 30, 'brief'],
    ]);
  });

  it('never take more than the terminal has, unless those that must stay do', () => {
    const sizes = fc.array(
      fc
        .tuple(fc.nat(60), fc.nat(60), fc.nat(60), fc.option(fc.nat(5), { nil: undefined }))
        .map(([a, b, c, leftOut]): ColumnSize => {
          const [least = 0, brief = 0, whole = 0] = [a, b, c].toSorted((one, other) => one - other);
          return { least, brief, whole, ...(leftOut !== undefined && { leftOut }) };
        }),
      { minLength: 1, maxLength: 8 },
    );
    fc.assert(
      fc.property(sizes, fc.nat(250), (all, available) => {
        const fits = fitColumns(all, available);
        const used = fits.reduce((sum, { width }) => sum + width, gap * (fits.length - 1));
        const kept = new Set(fits.map(({ index }) => index));
        const must = all.filter(({ leftOut }) => leftOut === undefined);
        const least = must.reduce((sum, one) => sum + one.least, gap * (must.length - 1));
        expect(used <= available || (fits.length === must.length && used === least)).toBe(true);
        expect(all.every(({ leftOut }, index) => leftOut !== undefined || kept.has(index))).toBe(true);
        expect(fits.every(({ index, width }) => width >= (all[index]?.least ?? 0))).toBe(true);
      }),
    );
  });
});
