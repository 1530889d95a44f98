import { describe, expect, it } from 'vitest';
import { pausedReason, pauseOf, pauseTag } from '../../../shared/passes/pause.ts';

const since = '2026-11-21T07:00:00.000Z';

describe('a pause', () => {
  it('is read as it was written', () => {
    const { key, value } = pauseTag({ scope: 'cluster', since, by: 'ann@example.com' });
    expect(pauseOf({ [key]: value })).toEqual({ scope: 'cluster', since, by: 'ann@example.com' });
  });

  it('applies for any value of a hand-written tag', () => {
    for (const value of ['', 'true', 'do not touch', 'since=yesterday by='])
      expect(pauseOf({ 'drover.dev/paused': value })).toEqual({ scope: 'group' });
  });

  it('does not apply without the tag, or if its value is false', () => {
    expect(pauseOf({})).toBeUndefined();
    expect(pauseOf({ 'drover.dev/paused': 'false' })).toBeUndefined();
  });

  it('fits into a tag for any name of the user', () => {
    const { value } = pauseTag({ scope: 'group', since, by: `ann "the boss" <${'x'.repeat(400)}>` });
    expect(value).toMatch(/^[\p{L}\p{N} +\-=._:/@]{1,256}$/u);
  });

  it('keeps the longest names of a role and its session, and cuts what is longer than a tag', () => {
    const by = `assumed-role/${'r'.repeat(64)}/${'s'.repeat(64)}`;
    const stamp = { scope: 'cluster', since: '2026-11-21T08:00:00.000Z' } as const;
    expect(pauseOf({ 'drover.dev/paused': pauseTag({ ...stamp, by }).value })).toEqual({ ...stamp, by });
    expect(pauseTag({ ...stamp, by: 'x'.repeat(400) }).value).toMatch(/ by=x{160}$/);
  });

  it('reports how long it can last', () => {
    const pause = { scope: 'group', since, by: 'ann' } as const;
    const now = Date.parse(since);
    expect(pausedReason(pause, { now, limit: now + 3_600_000 })).toBe(
      `paused for the group since ${since} by ann; the wait can be held until 2026-11-21T08:00:00.000Z, then the instance goes, drained or not`,
    );
    expect(pausedReason(pause, { now, limit: now - 1000 })).toMatch(/that has passed/);
    expect(pausedReason({ scope: 'cluster' }, { now, limit: Infinity })).toBe(
      'paused for the cluster; nothing ends the wait',
    );
  });
});
