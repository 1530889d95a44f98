import { expect, test } from 'vitest';
import { rollingAnnotation } from '../../../shared/nodes/node-keys.ts';
import { formatRollingMark, type RollingMark, readRollingMark } from '../../../shared/nodes/rolling-mark.ts';

const mark: RollingMark = { roll: 'june', at: '2026-11-29T08:00:00.000Z', waits: true, wasCordoned: false };

test('a rolling mark is read as it was written', () => {
  expect(readRollingMark({ [rollingAnnotation]: formatRollingMark(mark) })).toEqual(mark);
  const until = { ...mark, annotationsUntil: '2026-11-29T09:00:00.000Z' };
  expect(readRollingMark({ [rollingAnnotation]: formatRollingMark(until) })).toEqual(until);
  expect(readRollingMark({})).toBeUndefined();
});

test.each(['', 'true', '{}', '{"roll":"june"}'])(
  'the annotation "%s" is unreadable, and not absent',
  (text) => {
    expect(readRollingMark({ [rollingAnnotation]: text })).toBe('unreadable');
  },
);
