import { describe, expect, it } from 'vitest';
import { createHurryLimit } from '../../../shared/intake/hurry-limit.ts';
import type { LeavingNotice } from '../../../shared/passes/leaving-notice.ts';
import { spotNotice } from '../../support/notices.ts';

const instance = (number: number): string => `i-${String(number).padStart(17, '0')}`;

function createLimit(perMinute: number) {
  let now = Date.parse('2026-11-20T09:00:00Z');
  const limit = createHurryLimit({ clock: { now: () => now }, perMinute });
  return {
    warn: (number: number, noticeSeconds = 120) =>
      limit.admit(spotNotice(instance(number), new Date(now + noticeSeconds * 1000).toISOString())),
    admit: (notice: LeavingNotice) => limit.admit(notice),
    pass: (seconds: number) => void (now += seconds * 1000),
  };
}

describe('the limit of hurried leaves', () => {
  it('admits this many instances within a minute, and the next one when the minute is over', () => {
    const { warn, pass } = createLimit(2);
    expect([warn(1), warn(2), warn(3)]).toEqual([true, true, false]);
    pass(59);
    expect(warn(3)).toBe(false);
    pass(1);
    expect([warn(3), warn(4), warn(5)]).toEqual([true, true, false]);
  });

  it('counts an instance once, however often its warning arrives', () => {
    const { warn } = createLimit(2);
    expect([warn(1), warn(1), warn(1), warn(2)]).toEqual([true, true, true, true]);
  });

  it('admits notices that do not hurry: without a deadline, a recommendation, or a warning that is long past', () => {
    const { warn, admit } = createLimit(1);
    warn(1);
    const noticedAt = '2026-11-20T09:00:00.000Z';
    expect(admit({ cause: 'terminating', instanceId: instance(2), noticedAt })).toBe(true);
    expect(
      admit({ cause: 'scheduled-change', instanceId: instance(3), noticedAt, deadline: noticedAt }),
    ).toBe(true);
    expect(warn(4, -121)).toBe(true);
    expect(warn(5)).toBe(false);
  });
});
