import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { QuantityError, quantityIn } from '../../../../shared/capacity/plan/quantity.ts';

describe('a quantity', () => {
  it.each([
    ['500m', 3, 500n],
    ['0.1m', 3, 1n],
    ['1', 3, 1000n],
    ['1.5', 3, 1500n],
    ['.5', 3, 500n],
    ['2.', 0, 2n],
    ['1e3', 0, 1000n],
    ['1E3', 0, 1000n],
    ['1E', 0, 10n ** 18n],
    ['12e-1', 3, 1200n],
    ['1Ki', 0, 1024n],
    ['1.5Gi', 0, 1_610_612_736n],
    ['0.1Ki', 0, 103n],
    ['100n', 3, 1n],
    ['1u', 0, 1n],
    ['+3', 0, 3n],
    ['-1.5', 0, -2n],
    ['9007199254740993', 0, 9_007_199_254_740_993n],
    ['16Ei', 0, 2n ** 63n - 1n],
    ['99999999999999999999', 0, 2n ** 63n - 1n],
    ['0', 3, 0n],
  ] as const)('%s with %i decimals is %s', (text, decimals, expected) => {
    expect(quantityIn(decimals, text)).toBe(expected);
  });

  it('may be a number, as YAML reads it', () => {
    expect(quantityIn(3, 0.5)).toBe(500n);
    expect(quantityIn(0, 1e21)).toBe(2n ** 63n - 1n);
    expect(quantityIn(3, 1e-7)).toBe(1n);
  });

  it.each([
    '',
    '.',
    'm',
    '1 Gi',
    '1gi',
    '1KI',
    '1e',
    '1e1.5',
    'Gi',
    '1mm',
    '0x10',
    '1,5',
    '--1',
    'NaN',
    '1e9999',
    '１',
  ])('refuses %j, and quotes it', (text) => {
    expect(() => quantityIn(0, text)).toThrow(QuantityError);
    expect(() => quantityIn(0, text)).toThrow(`"${text}"`);
  });

  it('loses no digit of a whole number, whatever its suffix', () => {
    const suffixes = [
      ['', 1n],
      ['k', 1000n],
      ['Ki', 1024n],
      ['M', 10n ** 6n],
      ['Mi', 2n ** 20n],
    ] as const;
    fc.assert(
      fc.property(
        fc.bigInt({ min: 0n, max: 2n ** 40n }),
        fc.constantFrom(...suffixes),
        (number, [suffix, factor]) => {
          expect(quantityIn(0, `${number}${suffix}`)).toBe(number * factor);
        },
      ),
    );
  });

  it('rounds up, by less than one', () => {
    fc.assert(
      fc.property(fc.nat({ max: 10 ** 9 }), fc.nat({ max: 999_999 }), (whole, micro) => {
        const text = `${whole}.${String(micro).padStart(6, '0')}`;
        const milli = quantityIn(3, text);
        const exact = BigInt(whole) * 1_000_000n + BigInt(micro);
        expect(milli * 1000n >= exact && milli * 1000n < exact + 1000n).toBe(true);
      }),
    );
  });
});
