import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { askedIn, queryOf } from '../../ui/address.ts';
import { reportPeriods } from '../../ui/state/report.ts';
import { shows } from '../../ui/state/search.ts';

const text = fc.string({ unit: 'grapheme' });
const asked = fc.record({
  search: fc.record({ words: text, show: fc.constantFrom(...shows.map(([show]) => show)), zone: text }),
  filter: fc.record(
    { of: text, failures: fc.boolean(), at: fc.maxSafeNat() },
    { requiredKeys: ['of', 'failures'] },
  ),
  report: fc.record({ days: fc.constantFrom(...reportPeriods), group: text }),
});

describe('the address of the page', () => {
  it('keeps what the reader looks for, whatever it is, when the page is loaded again', () => {
    fc.assert(
      fc.property(asked, (one) => {
        expect(askedIn(queryOf(one))).toEqual(one);
      }),
    );
  });

  it('is empty where everything is shown', () => {
    expect(queryOf(askedIn(''))).toBe('');
  });

  it.each([
    '?show=evil',
    '?at=x',
    '?at=1e999',
    '?',
    '?%',
    '?find',
    '?zone=&of=',
    '?days=3',
    '?days=1e9&report=',
  ])('takes nothing from %s that it does not know', (query) => {
    expect(askedIn(query)).toEqual(askedIn(''));
  });
});
