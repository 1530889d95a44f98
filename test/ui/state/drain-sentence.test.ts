import { describe, expect, it } from 'vitest';
import { drainSentence } from '../../../ui/state/drain-sentence.ts';
import type { LeavingView } from '../../../ui/state/types.ts';
import { now } from '../states.ts';

const drain = (parts: Partial<LeavingView> = {}): LeavingView => ({
  cause: 'terminating',
  since: now - 30_000,
  until: now + 600_000,
  waitingFor: ['shop/web-2 (budget web)'],
  andMore: 0,
  ...parts,
});
const textOf = (...drains: LeavingView[]): string =>
  drainSentence(drains, now).text.replaceAll('\u00a0', ' ');

describe('the sentence about drains', () => {
  it('says how long the drain lasts, because since when a budget holds it is not known', () => {
    expect(textOf(drain())).toBe(
      '1 node draining for 30 s, held by budget web; forced at 08:10 at the latest',
    );
  });

  it('says how many of several are held, and how long the first lasts', () => {
    const free = drain({ since: now - 900_000, waitingFor: ['shop/web-1 (it ends)'] });
    expect(textOf(free, drain())).toBe(
      '2 nodes draining, the first for 15 min, 1 of them held by budget web; the first forced at 08:10 at the latest',
    );
    expect(drainSentence([free, drain()], now).isHeld).toBe(true);
  });

  it('shows neither a longer duration nor a passed deadline while the Node cannot be read, and shows when it was read', () => {
    const seenAt = now - 10_000;
    expect(textOf(drain({ seenAt }))).toBe(
      '1 node draining for 20 s as of 07:59, held by budget web; forced at 08:10 at the latest',
    );
    expect(textOf(drain({ seenAt, until: now - 1 }))).toContain('; forced at 07:59 at the latest');
  });

  it('says nothing of an older time where all of the page is of that time', () => {
    expect(textOf(drain({ seenAt: now }))).toContain('draining for 30 s, held');
  });

  it('has the nearest deadline, and each budget once', () => {
    const other = drain({
      until: now + 60_000,
      since: now - 40_000,
      waitingFor: ['shop/web-3 (budget web)', 'shop/db-0 (budget db)'],
    });
    expect(textOf(drain(), other)).toBe(
      '2 nodes draining, the first for 40 s, held by budget web, db; the first forced at 08:01 at the latest',
    );
  });

  it('says since when pods are forced once the deadline has passed', () => {
    expect(textOf(drain({ until: now - 60_000 }))).toBe(
      '1 node draining for 30 s, held by budget web; forced since 07:59',
    );
    expect(textOf(drain({ until: now }))).toContain('forced since 08:00');
  });

  it('does not say that pods will be forced while they are: their own grace begins before the deadline', () => {
    expect(textOf(drain({ isForced: true, waitingFor: [] }))).toBe(
      '1 node draining for 30 s; forced past budgets, deadline 08:10',
    );
  });

  it('has no deadline if there is none', () => {
    const free = drain({ until: undefined, waitingFor: [] });
    expect(textOf(free)).toBe('1 node draining for 30 s');
    expect(drainSentence([free], now).isHeld).toBe(false);
  });
});
