import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { assignSlots } from '../../src/wire/slots.ts';

test('a new owner gets the first free slot, and an owner keeps its slot', () => {
  const first = assignSlots([undefined, undefined, undefined], ['a', 'b', 'c']);
  expect(first).toEqual(['a', 'b', 'c']);
  expect(assignSlots(first, ['c', 'a', 'd'])).toEqual(['a', 'd', 'c']);
  expect(assignSlots(first, ['c', 'd', 'e', 'f'])).toEqual(['d', 'e', 'c']);
  expect(assignSlots(first, ['b'])).toEqual([undefined, 'b', undefined]);
});

const ids = fc.uniqueArray(fc.constantFrom<string>('a', 'b', 'c', 'd', 'e'));

test('each owner has at most one slot, only present owners have slots, and no slot is free while an owner waits', () => {
  fc.assert(
    fc.property(fc.array(ids, { minLength: 1 }), (times) => {
      const free: readonly (string | undefined)[] = [undefined, undefined, undefined];
      const slots = times.reduce(assignSlots, free);
      const taken = slots.filter((id) => id !== undefined);
      const serving = times.at(-1) ?? [];
      expect(new Set(taken).size).toBe(taken.length);
      expect(taken.every((id) => serving.includes(id))).toBe(true);
      expect(taken.length).toBe(Math.min(3, serving.length));
    }),
  );
});
