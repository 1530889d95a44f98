import { describe, expect, it } from 'vitest';
import type { Log } from '../../../shared/base/log.ts';
import {
  describeFailures,
  type ItemFailure,
  logFailures,
  reasonsOf,
} from '../../../shared/base/side-by-side.ts';

const throttled = new Error('Rate exceeded');
const failuresOf = (count: number): readonly ItemFailure[] =>
  Array.from({ length: count }, (_, index) => ({ item: `group ${index}`, error: throttled }));

describe('the failures of a run', () => {
  it('are one line for each reason, with the first twenty of its items', () => {
    const lines: unknown[] = [];
    const log: Log = {
      info: () => undefined,
      warn: () => undefined,
      error: (message, error, fields) => lines.push({ message, error, ...fields }),
      with: () => log,
    };
    const denied = { item: 'group x', error: new Error('denied') };
    logFailures(log, 'not done', [...failuresOf(21), denied]);
    expect(lines).toEqual([
      {
        message: 'not done',
        error: throttled,
        count: 21,
        items: failuresOf(20).map(({ item }) => item),
      },
      { message: 'not done', error: denied.error, count: 1, items: ['group x'] },
    ]);
  });

  it('are named with their reasons in an error and in a result', () => {
    expect(describeFailures(failuresOf(2))).toBe('group 0: Rate exceeded; group 1: Rate exceeded');
    expect(describeFailures(failuresOf(22))).toMatch(/; 2 more$/);
    expect(reasonsOf(failuresOf(1))).toEqual([{ item: 'group 0', reason: 'Rate exceeded' }]);
  });
});
