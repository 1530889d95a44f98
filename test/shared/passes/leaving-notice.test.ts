import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  type LeavingNotice,
  leavingCauses,
  withoutEndedChanges,
} from '../../../shared/passes/leaving-notice.ts';

const at = (minute: number): string =>
  new Date(Date.parse('2026-11-20T09:00:00Z') + minute * 60_000).toISOString();
const notice = (cause: LeavingNotice['cause'], minute: number, change?: string): LeavingNotice => ({
  cause,
  instanceId: 'i-0a1b2c3d4e5f60718',
  noticedAt: at(minute),
  ...(change && { change }),
});
const causesOf = (...notices: readonly LeavingNotice[]) =>
  withoutEndedChanges(notices).map(({ cause, change }) => (change ? `${cause} ${change}` : cause));

describe('a scheduled change', () => {
  it('is over once AWS has reported that it ended', () => {
    expect(causesOf(notice('scheduled-change', 1, 'a'), notice('change-ended', 2, 'a'))).toEqual([
      'change-ended a',
    ]);
  });

  it('is a new one if it was announced after the end', () => {
    expect(causesOf(notice('change-ended', 1, 'a'), notice('scheduled-change', 2, 'a'))).toContain(
      'scheduled-change a',
    );
  });

  it('is not ended by the end of another change', () => {
    expect(causesOf(notice('scheduled-change', 1, 'a'), notice('change-ended', 2, 'b'))).toContain(
      'scheduled-change a',
    );
  });

  it.each([
    [undefined, 'a'],
    ['a', undefined],
  ])('is ended if only one of the two names the change (%s, %s)', (announced, ended) => {
    expect(causesOf(notice('scheduled-change', 1, announced), notice('change-ended', 2, ended))).toHaveLength(
      1,
    );
  });

  it('is the only reason that its end takes away', () => {
    const arbitrary = fc.record({
      cause: fc.constantFrom(...leavingCauses),
      minute: fc.integer({ min: 0, max: 9 }),
      change: fc.constantFrom(undefined, 'a', 'b'),
    });
    fc.assert(
      fc.property(fc.array(arbitrary), (parts) => {
        const notices = parts.map(({ cause, minute, change }) => notice(cause, minute, change));
        const others = notices.filter(({ cause }) => cause !== 'scheduled-change');
        expect(withoutEndedChanges(notices).filter(({ cause }) => cause !== 'scheduled-change')).toEqual(
          others,
        );
        if (!others.some(({ cause }) => cause === 'change-ended'))
          expect(withoutEndedChanges(notices)).toEqual(notices);
      }),
    );
  });
});
