import { describe, expect, it } from 'vitest';
import { newsAfterRound, newsBeforeRound } from '../../../shared/leaving/drain-news.ts';

const since = Date.parse('2026-11-24T10:00:00Z');
const markWith = (told?: readonly string[]) => ({
  since: new Date(since).toISOString(),
  ...(told && { told: [...told] }),
});

describe('before a round over the pods of a node', () => {
  const before = ({
    told,
    podsForced = 0,
    isEmpty = false,
  }: Partial<Parameters<typeof newsBeforeRound>[0]> & { readonly told?: readonly string[] }) =>
    newsBeforeRound({ mark: markWith(told), podsForced, isEmpty });

  it('it is told that the node leaves, where that could not be told when it began', () => {
    expect(before({})).toEqual(['node-leaving']);
    expect(before({ told: [] })).toEqual(['node-leaving']);
    expect(before({ told: ['node-leaving'] })).toEqual([]);
  });

  it('it is not told that an empty node leaves: its end is told at once', () => {
    expect(before({ isEmpty: true })).toEqual([]);
  });

  it('it is told that pods are deleted past their budgets, once, also where the node is empty by now', () => {
    expect(before({ podsForced: 1, told: ['node-leaving'] })).toEqual(['drain-forced']);
    expect(before({ podsForced: 1 })).toEqual(['node-leaving', 'drain-forced']);
    expect(before({ podsForced: 1, isEmpty: true })).toEqual(['drain-forced']);
    expect(before({ podsForced: 9, told: ['node-leaving', 'drain-forced'] })).toEqual([]);
  });
});

describe('after a round over the pods of a node', () => {
  const after = (parts: {
    readonly now?: number;
    readonly podsHeld?: number;
    readonly told?: readonly string[];
  }) =>
    newsAfterRound({
      now: since + 600_000,
      mark: markWith(parts.told),
      podsHeld: 1,
      heldAfterSeconds: 600,
      ...parts,
    });

  it('nothing is told while pods leave, however long they take', () => {
    expect(after({ now: since + 6_000_000, podsHeld: 0 })).toEqual([]);
  });

  it('it is told that pods are held once the drain has lasted its bound, and not a millisecond before', () => {
    expect(after({ now: since + 599_999 })).toEqual([]);
    expect(after({})).toEqual(['drain-held']);
    expect(after({ told: ['node-leaving'] })).toEqual(['drain-held']);
  });

  it('it is told once', () => {
    expect(after({ told: ['node-leaving', 'drain-held'] })).toEqual([]);
  });
});
