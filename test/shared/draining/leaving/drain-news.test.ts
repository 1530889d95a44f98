import { describe, expect, it } from 'vitest';
import { type DrainNewsInput, drainNews } from '../../../../shared/draining/leaving/drain-news.ts';

const since = Date.parse('2026-11-24T10:00:00Z');
const round = ({
  told = ['node-leaving'],
  ...input
}: Partial<DrainNewsInput> & { readonly told?: readonly string[] } = {}) =>
  drainNews({
    now: since + 600_000,
    mark: { since: new Date(since).toISOString(), told: [...told] },
    podsHeld: 0,
    podsForced: 0,
    heldAfterSeconds: 600,
    ...input,
  });

describe('a round over the pods of a node', () => {
  it('has nothing to tell while pods leave, however long they take', () => {
    expect(round({ now: since + 6_000_000 })).toEqual([]);
  });

  it('tells that pods are held once the drain has lasted its bound, and not a millisecond before', () => {
    expect(round({ podsHeld: 1, now: since + 599_999 })).toEqual([]);
    expect(round({ podsHeld: 1 })).toEqual(['drain-held']);
  });

  it('tells at once that pods are deleted past their budgets', () => {
    expect(round({ podsForced: 1, now: since })).toEqual(['drain-forced']);
  });

  it('tells that the node leaves, where that could not be told when it began', () => {
    expect(round({ told: [] })).toEqual(['node-leaving']);
    expect(
      drainNews({
        now: since,
        mark: { since: new Date(since).toISOString() },
        podsHeld: 0,
        podsForced: 0,
        heldAfterSeconds: 600,
      }),
    ).toEqual(['node-leaving']);
  });

  it('tells both, and of those nothing that was told before', () => {
    const both = { podsHeld: 2, podsForced: 3 };
    expect(round(both)).toEqual(['drain-held', 'drain-forced']);
    expect(round({ ...both, told: ['node-leaving', 'drain-held'] })).toEqual(['drain-forced']);
    expect(round({ ...both, told: ['node-leaving', 'drain-held', 'drain-forced'] })).toEqual([]);
  });
});
