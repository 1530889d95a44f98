import { describe, expect, it } from 'vitest';
import { timeText } from '../../../cli/table/relative-time.ts';

const now = Date.parse('2026-11-25T12:00:00Z');

describe('timeText', () => {
  it.each([
    [0, 'now'],
    [-45, '45s ago'],
    [-119, '119s ago'],
    [-120, '2m ago'],
    [-7199, '119m ago'],
    [7200, 'in 2h'],
    [172_799, 'in 47h'],
    [-172_800, '2d ago'],
    [1799, 'in 29m'],
  ])('of %i seconds from now is %s on a terminal', (seconds, text) => {
    expect(timeText(now + seconds * 1000, now, { columns: 80 })).toBe(text);
  });

  it('is the time in UTC elsewhere, so that a script can read it', () => {
    expect(timeText(now - 120_000, now, {})).toBe('2026-11-25T11:58:00Z');
  });
});
