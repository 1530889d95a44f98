import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { formatRemembered, nothingRemembered, parseRemembered } from '../../../shared/digest/remembered.ts';
import { follower, hour, problem } from './support.ts';

const severities = fc.constantFrom('critical' as const, 'warning' as const);
const times = fc.integer({ min: 0, max: 1e8 }).map((minutes) => minutes * 60_000);
const rememberedProblems = fc.record(
  {
    kind: fc.string(),
    subject: fc.oneof(fc.string({ unit: 'grapheme' }), fc.constantFrom('{{ssm:/other}}', 'a"b\\', '')),
    ordinal: fc.integer({ min: 1, max: 9 }),
    severity: severities,
    toldAs: severities,
    begins: fc.integer({ min: 1, max: 1000 }),
    awaySince: times,
    endedAt: times,
  },
  { requiredKeys: ['kind', 'subject', 'ordinal', 'severity', 'begins'] },
);

describe('the text of the parameter', () => {
  it('is read as it was written, and has no braces, which Parameter Store would read as a reference', () => {
    const all = fc.record(
      {
        toldAt: times,
        claimedAt: times,
        owedSince: times,
        rest: fc.string({ maxLength: 16 }),
        problems: fc.array(rememberedProblems, { maxLength: 10 }),
      },
      { requiredKeys: ['rest', 'problems'] },
    );
    fc.assert(
      fc.property(all, (remembered) => {
        const text = formatRemembered(remembered);
        fc.pre(text !== undefined);
        expect(text).not.toMatch(/[{}]/);
        expect(parseRemembered(text ?? '')).toEqual(remembered);
      }),
    );
  });

  it.each([
    '',
    'null',
    '{}',
    '[]',
    'not JSON',
    '[2,null,null,null,"",[]]',
    '[1,-1,null,null,"",[]]',
    '[1,1e300,null,null,"",[]]',
    '[1,null,null,null,"",[["a"]]]',
    '[1,null,null,null,"",[["a","b",1,"odd",null,1,null,null]]]',
    '[1,null,null,null,"",[["a","b",1,"warning",null,0,null,null]]]',
  ])('is damaged if it is %s', (text) => {
    expect(parseRemembered(text)).toBeUndefined();
  });

  it('of nothing is short', () => {
    expect(formatRemembered(nothingRemembered)).toBe('[1,null,null,null,"",[]]');
  });
});

describe('more problems than the parameter has room for', () => {
  const names = (count: number, begin = 0) =>
    Array.from({ length: count }, (_, index) => `ip-10-0-${index + begin}.eu-west-1.compute.internal`);
  const sorted = (told: string | undefined) => told?.split(' ').filter(Boolean).length;

  it('are reported once while they stay the same, in any order', () => {
    const { see } = follower();
    expect(sorted(see(0, names(500)))).toBe(500);
    expect(see(2 * hour, names(500).toReversed())).toBeUndefined();
    expect(see(4 * hour, names(500))).toBeUndefined();
  });

  it('are reported again if one of them is new or has ended, also if an hour has to pass before', () => {
    const { see } = follower();
    see(0, names(500));
    expect(see(hour / 2, names(501))).toBeUndefined();
    expect(see(hour, names(501))).toContain(`+${names(501).at(-1)}`);
    expect(see(3 * hour, names(501))).toBeUndefined();
    expect(see(5 * hour, names(499))).toBeDefined();
    expect(see(7 * hour, names(499))).toBeUndefined();
  });

  it('are reported to have ended when none is left', () => {
    const { see } = follower();
    see(0, names(500));
    see(1 * hour, []);
    expect(see(2 * hour, [])).toMatch(/^-ip-10-0-0/);
    expect(see(4 * hour, [])).toBeUndefined();
  });

  it('with names that are each longer than the parameter are reported once', () => {
    const { see } = follower();
    const huge = [problem('x'.repeat(5000)), problem('😀'.repeat(2000))];
    expect(see(0, huge)).toBeDefined();
    expect(see(2 * hour, huge)).toBeUndefined();
  });
});
