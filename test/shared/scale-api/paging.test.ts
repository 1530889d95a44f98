import { describe, expect, it } from 'vitest';
import { keyBefore, pageByKey, pageOf } from '../../../shared/scale-api/paging.ts';
import { ProblemError } from '../../../shared/scale-api/problem.ts';

const page = (items: readonly string[], { limit = 2, after = '' } = {}) =>
  pageByKey(items, { keyOf: (item) => item, after, limit });

describe('a page by key', () => {
  it('has the items in the order of their keys, and no cursor if it has all', () => {
    expect(page(['b', 'a'])).toEqual({ items: ['a', 'b'] });
    expect(page([])).toEqual({ items: [] });
  });

  it('ends at its limit, with a cursor that the next page begins after', () => {
    const first = page(['c', 'a', 'd', 'b']);
    expect(first.items).toEqual(['a', 'b']);
    const after = keyBefore({ cursor: first.nextCursor ?? '' });
    expect(after).toBe('b');
    expect(page(['c', 'a', 'd', 'b'], { after })).toEqual({ items: ['c', 'd'] });
  });

  it('continues at the right place if the last item of the previous page is gone', () => {
    expect(page(['a', 'c', 'd', 'e'], { after: 'b' }).items).toEqual(['c', 'd']);
  });

  it('takes any key through a cursor', () => {
    const { nextCursor = '' } = page(['größe\0ä', 'z'], { limit: 1 });
    expect(keyBefore({ cursor: nextCursor })).toBe('größe\0ä');
    expect(nextCursor).toMatch(/^[\w-]+$/);
  });

  it('begins at the first key without a cursor', () => {
    expect(keyBefore({})).toBe('');
  });

  it.each(['a', '\0', '====', '_w'])('refuses %j, which is not a cursor of a page', (cursor) => {
    expect(() => keyBefore({ cursor })).toThrow(ProblemError);
    expect(() => keyBefore({ cursor })).toThrow(
      expect.objectContaining({
        problem: expect.objectContaining({
          errors: [{ parameter: 'cursor', detail: 'is not the nextCursor of a page' }],
        }),
      }),
    );
  });
});

describe('the page of a query', () => {
  it('has at most a hundred items by default', () => {
    expect(pageOf({})).toEqual({ limit: 100 });
    expect(pageOf({ limit: '7', cursor: 'next' })).toEqual({ limit: 7, cursor: 'next' });
  });
});
