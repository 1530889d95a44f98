import { describe, expect, it } from 'vitest';
import { digestOf } from '../../../shared/digest/digest.ts';
import { nothingRemembered } from '../../../shared/digest/remembered.ts';
import { follower, hour, look, minute, problem, start } from './support.ts';

describe('a digest is due', () => {
  it('at the first check with a problem, and not at one without', () => {
    expect(follower().see(0, [])).toBeUndefined();
    expect(follower().see(0, ['a'])).toBe('+a');
  });

  it('if a problem is new, at most once an hour', () => {
    const { see } = follower();
    expect(see(0, ['a'])).toBe('+a');
    expect(see(15 * minute, ['a', 'b'])).toBeUndefined();
    expect(see(45 * minute, ['a', 'b', 'c'])).toBeUndefined();
    expect(see(60 * minute, ['a', 'b', 'c'])).toBe('+b +c');
    expect(see(300 * minute, ['a', 'b', 'c'])).toBeUndefined();
  });

  // Events whose text has a time or a count were new ones each time: kubernetes-sigs/karpenter#372, leptonai/gpud#1228.
  it('not because an age or a count in a sentence has changed, or the order of the list', () => {
    const { see } = follower();
    expect(see(0, [problem('a', { message: '3 pods for 5 minutes' }), 'b'])).toBe('+a +b');
    expect(see(2 * hour, ['b', problem('a', { message: '2 pods for 2 hours' })])).toBeUndefined();
  });

  it('if the severity of a problem has changed', () => {
    const { see } = follower();
    see(0, [problem('a', { severity: 'warning' })]);
    expect(see(2 * hour, [problem('a', { severity: 'critical' })])).toBe('~a');
    expect(see(4 * hour, [problem('a', { severity: 'critical' })])).toBeUndefined();
  });

  it('if a second problem of the same kind and subject begins', () => {
    const { see } = follower();
    see(0, ['a']);
    expect(see(2 * hour, ['a', 'a'])).toBe('+a');
  });

  it('once after the last problem has ended', () => {
    const { see } = follower();
    see(0, ['a', 'b']);
    expect(see(2 * hour, [])).toBeUndefined();
    expect(see(3 * hour, [])).toBe('-a -b');
    expect(see(5 * hour, [])).toBeUndefined();
    expect(see(50 * hour, [])).toBeUndefined();
  });

  it('if the clock was set back behind the last one', () => {
    const { see } = follower();
    see(100 * hour, ['a']);
    expect(see(0, ['a', 'b'])).toBe('+b');
  });
});

describe('a problem that is not seen', () => {
  // "Resolved" while the data were missing, and "firing" when they came back: grafana/grafana#105571.
  it('has not ended while something cannot be read, for a day', () => {
    const { see } = follower();
    see(0, ['a']);
    for (let at = hour; at <= 24 * hour; at += hour)
      expect(see(at, [], ['the groups: no answer within 12 s'])).toBeUndefined();
    expect(see(25 * hour, [], ['the groups: no answer within 12 s'])).toBe('-a');
  });

  it('has not ended if it is seen again after sources could be read again', () => {
    const { see } = follower();
    see(0, ['a']);
    see(1 * hour, [], ['the groups: no answer within 12 s']);
    expect(see(3 * hour, ['a'])).toBeUndefined();
    expect(see(3 * hour + 30 * minute, [])).toBeUndefined();
    expect(see(4 * hour, [])).toBeUndefined();
    expect(see(4 * hour + 30 * minute, [])).toBe('-a');
  });

  it('is listed as away in a digest about another one', () => {
    const { see, remembered } = follower();
    see(0, ['a']);
    see(55 * minute, []);
    const { digest } = digestOf(remembered(), look([problem('b')]), start + 70 * minute);
    expect(digest?.content.away).toMatchObject([{ kind: 'budget', subject: 'a' }]);
    expect(digest?.content.ended).toEqual([]);
  });

  // After an end within the interval, no "firing" was sent any more: prometheus/alertmanager#1063.
  it('is new again after its end was reported', () => {
    const { see } = follower();
    see(0, ['a']);
    see(1 * hour, []);
    expect(see(2 * hour, [])).toBe('-a');
    expect(see(3 * hour, ['a'])).toBe('+a');
  });

  it('is not reported again if it comes back before its end was reported', () => {
    const { see } = follower();
    see(0, ['a']);
    see(60 * minute, ['a']);
    see(61 * minute, []);
    expect(see(119 * minute, ['a'])).toBeUndefined();
    expect(see(300 * minute, ['a'])).toBeUndefined();
  });
});

describe('without the parameter', () => {
  it('each problem is new: one digest too many', () => {
    const { see, lose } = follower();
    see(0, ['a', 'b']);
    lose('absent');
    expect(see(15 * minute, ['a', 'b'])).toBe('+a +b');
    expect(see(2 * hour, ['a', 'b'])).toBeUndefined();
  });

  it('a damaged one causes a digest also if the list is empty, because the end of problems may not have been reported', () => {
    const { see, lose } = follower();
    see(0, ['a']);
    lose('damaged');
    expect(see(2 * hour, [])).toBe('');
    expect(see(4 * hour, [])).toBeUndefined();
  });
});

describe('a claim of another sweep', () => {
  const claimed = { ...nothingRemembered, claimedAt: start };

  it('holds the digest back for the time that a sweep may take, and no longer', () => {
    expect(digestOf(claimed, look([problem('a')]), start + 2 * minute).digest).toBeUndefined();
    expect(digestOf(claimed, look([problem('a')]), start + 3 * minute).digest).toBeDefined();
    expect(digestOf(claimed, look([problem('a')]), start - hour).digest).toBeDefined();
  });

  it('gives the digest that is tried again the same occurrence, and the next one another', () => {
    const occurrenceAt = (at: number, subject: string) =>
      digestOf({ ...nothingRemembered, toldAt: start }, look([problem(subject)]), start + at).digest
        ?.occurrence;
    expect(occurrenceAt(2 * hour, 'a')).toBe(occurrenceAt(3 * hour, 'a'));
    expect(occurrenceAt(2 * hour, 'a')).not.toBe(occurrenceAt(2 * hour, 'b'));
  });
});
