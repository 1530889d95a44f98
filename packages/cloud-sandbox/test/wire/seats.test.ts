import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { seat } from '../../src/wire/seats.ts';

test('a new owner gets the first free seat, and an owner keeps its seat', () => {
  const first = seat([undefined, undefined, undefined], ['a', 'b', 'c']);
  expect(first).toEqual(['a', 'b', 'c']);
  expect(seat(first, ['c', 'a', 'd'])).toEqual(['a', 'd', 'c']);
  expect(seat(first, ['c', 'd', 'e', 'f'])).toEqual(['d', 'e', 'c']);
  expect(seat(first, ['b'])).toEqual([undefined, 'b', undefined]);
});

const ids = fc.uniqueArray(fc.constantFrom<string>('a', 'b', 'c', 'd', 'e'));

test('each owner has at most one seat, only present owners have seats, and no seat is free while an owner waits', () => {
  fc.assert(
    fc.property(fc.array(ids, { minLength: 1 }), (times) => {
      const nobody: readonly (string | undefined)[] = [undefined, undefined, undefined];
      const seats = times.reduce(seat, nobody);
      const taken = seats.filter((id) => id !== undefined);
      const serving = times.at(-1) ?? [];
      expect(new Set(taken).size).toBe(taken.length);
      expect(taken.every((id) => serving.includes(id))).toBe(true);
      expect(taken.length).toBe(Math.min(3, serving.length));
    }),
  );
});
