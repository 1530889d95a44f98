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
  it('counts the time of those that are held, not of others that last longer', () => {
    const free = drain({ since: now - 900_000, waitingFor: ['shop/web-1 (it ends)'] });
    expect(textOf(free, drain())).toBe(
      '2 nodes draining, 1 of them held 30 s by budget web; forced at 08:10',
    );
    expect(drainSentence([free, drain()], now).isHeld).toBe(true);
  });

  it('has the nearest deadline, and each budget once', () => {
    const other = drain({
      until: now + 60_000,
      since: now - 40_000,
      waitingFor: ['shop/web-3 (budget web)', 'shop/db-0 (budget db)'],
    });
    expect(textOf(drain(), other)).toBe('2 nodes draining, held 40 s by budget web, db; forced at 08:01');
  });

  it('says since when pods are forced once the deadline has passed', () => {
    expect(textOf(drain({ until: now - 60_000 }))).toBe(
      '1 node draining, held 30 s by budget web; forced since 07:59',
    );
    expect(textOf(drain({ until: now }))).toContain('forced since 08:00');
  });

  it('has no deadline where there is none', () => {
    const free = drain({ until: undefined, waitingFor: [] });
    expect(textOf(free)).toBe('1 node draining for 30 s');
    expect(drainSentence([free], now).isHeld).toBe(false);
  });
});
