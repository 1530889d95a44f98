import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createRepeatedLines, repeatSeconds } from '../../../shared/base/repeated-lines.ts';

function linesAt(start = 0) {
  let now = start;
  const lines = createRepeatedLines({ now: () => now });
  return (passed: number, keys: readonly string[]) => {
    now += passed * 1000;
    return [...lines.due(keys)];
  };
}

describe('a line about a thing that lasts', () => {
  it('is due at once, and once an hour', () => {
    const due = linesAt();
    expect(due(0, ['a'])).toEqual(['a']);
    const lines = Array.from({ length: 600 }, () => due(60, ['a'])).flat();
    expect(lines).toHaveLength(10);
  });

  it('is due again if the thing ends and returns', () => {
    const due = linesAt();
    due(0, ['a']);
    expect(due(60, [])).toEqual([]);
    expect(due(60, ['a'])).toEqual(['a']);
  });

  it('is due at once after the clock was set back', () => {
    const due = linesAt();
    due(0, ['a']);
    expect(due(-7200, ['a'])).toEqual(['a']);
    expect(due(60, ['a'])).toEqual([]);
  });

  it('does not wait for another one', () => {
    const due = linesAt();
    due(0, ['a']);
    expect(due(60, ['a', 'b', 'b'])).toEqual(['b']);
  });

  it('is never missing for more than an hour, and never due twice within one', () => {
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 1, max: 900 }), { maxLength: 200 }), (steps) => {
        const due = linesAt();
        due(0, ['a']);
        let since = 0;
        for (const step of steps) {
          since += step;
          if (due(step, ['a']).length > 0) {
            expect(since).toBeGreaterThanOrEqual(repeatSeconds);
            since = 0;
          } else expect(since).toBeLessThan(repeatSeconds);
        }
      }),
    );
  });
});
