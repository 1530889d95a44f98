import { describe, expect, it } from 'vitest';
import { waitSecondsOf } from '../../../shared/scale-api/polling.ts';

describe('the wait of a request', () => {
  it('is the given number of seconds, 0 by default', () => {
    expect(waitSecondsOf({})).toBe(0);
    expect(waitSecondsOf({ wait: '20' })).toBe(20);
  });
});
