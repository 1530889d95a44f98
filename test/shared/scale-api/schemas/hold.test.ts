import { describe, expect, it } from 'vitest';
import { holdExtension, holdParameters, holdRequest } from '../../../../shared/scale-api/schemas/hold.ts';
import { takes } from './support.ts';

const until = '2026-11-24T12:00:00+01:00';

describe('the end of a hold', () => {
  it.each([
    ['a request', holdRequest(), { nodes: 3 }],
    ['an extension', holdExtension(), {}],
  ])('is given in one way, in %s', (_, schema, rest) => {
    const takesEnd = (end: object) => takes(schema)({ ...rest, ...end });
    expect([{ until }, { durationSeconds: 1 }, { durationSeconds: 31_622_400 }].every(takesEnd)).toBe(true);
    expect(
      [
        {},
        { until, durationSeconds: 60 },
        { durationSeconds: 0 },
        { durationSeconds: 31_622_401 },
        { durationSeconds: 1.5 },
        { until: '2026-11-24T12:00:00' },
        { until: `2026-11-24T12:00:00.${'0'.repeat(40)}Z` },
        { until: 'tomorrow' },
        { until, to: until },
      ].filter(takesEnd),
    ).toEqual([]);
  });

  it('is named in the reason where there are two', () => {
    const { error } = holdExtension().safeParse({ until, durationSeconds: 60 });
    expect(error?.issues).toMatchObject([{ message: expect.stringContaining('either until or') }]);
  });
});

describe('the request of a hold', () => {
  const takesHold = (changes: object) => takes(holdRequest())({ nodes: 3, until, ...changes });

  it('has 1 to 10,000 nodes', () => {
    expect([0, 1, 10_000, 10_001, 2.5, '3', null].filter((nodes) => takesHold({ nodes }))).toEqual([
      1, 10_000,
    ]);
  });

  it('may raise MaxSize', () => {
    expect([true, false, 'true', 1].filter((raiseMaxSize) => takesHold({ raiseMaxSize }))).toEqual([
      true,
      false,
    ]);
  });

  it('is refused with a misspelt field', () => {
    expect(takesHold({ raiseMaxsize: true })).toBe(false);
  });
});

describe('the path of a hold', () => {
  it('has a group and a name', () => {
    expect(takes(holdParameters())({ group: 'a/b', name: 'sale' })).toBe(true);
    expect([{ group: 'a' }, { name: 'sale' }].filter(takes(holdParameters()))).toEqual([]);
  });
});
