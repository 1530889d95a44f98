import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  formatLeavingMark,
  type LeavingMark,
  parseLeavingMark,
  readLeavingMark,
} from '../../../shared/nodes/leaving-mark.ts';
import { leavingAnnotation } from '../../../shared/nodes/node-keys.ts';
import { instanceId } from '../../support/pods.ts';

const mark: LeavingMark = {
  cause: 'spot-interruption',
  instanceId,
  since: '2026-11-21T12:00:00Z',
  until: '2026-11-21T12:01:50Z',
  renewedAt: '2026-11-21T12:00:20.123Z',
  missingSince: '2026-11-21T12:00:20Z',
  before: { unschedulable: false, excludedFromLoadBalancers: true },
  waitingFor: ['shop/web-1 (budget web)'],
};

describe('the mark of a leaving Node', () => {
  it('is read back as it was written', () => {
    expect(parseLeavingMark(formatLeavingMark(mark))).toEqual(mark);
  });

  it('is read as an earlier version wrote it, with `lastSignAt`', () => {
    const { renewedAt, ...rest } = mark;
    expect(parseLeavingMark(JSON.stringify({ ...rest, lastSignAt: renewedAt }))).toEqual(mark);
  });

  it('names ten pods and counts the rest', () => {
    const waitingFor = Array.from({ length: 13 }, (_, index) => `shop/web-${index} (terminating)`);
    const read = parseLeavingMark(formatLeavingMark({ ...mark, waitingFor }));
    expect(read).toMatchObject({ waitingFor: waitingFor.slice(0, 10), andMore: 3 });
  });

  it('keeps the count when it is written again', () => {
    const waitingFor = Array.from({ length: 13 }, (_, index) => `shop/web-${index} (terminating)`);
    const once = formatLeavingMark({ ...mark, waitingFor });
    expect(formatLeavingMark(parseLeavingMark(once) ?? mark)).toBe(once);
  });

  it('has a bounded length, whatever the names of the pods', () => {
    fc.assert(
      fc.property(fc.array(fc.string({ maxLength: 400 }), { maxLength: 120 }), (waitingFor) => {
        const value = formatLeavingMark({ ...mark, waitingFor });
        expect(value.length).toBeLessThan(12_000);
        expect(parseLeavingMark(value)?.waitingFor.length).toBe(Math.min(10, waitingFor.length));
      }),
    );
  });

  it.each(['', 'true', '{', '{}', '[]', 'null', JSON.stringify({ ...mark, cause: 'boredom' })])(
    'is not read from %j',
    (value) => {
      expect(parseLeavingMark(value)).toBeUndefined();
    },
  );

  it('is undefined without its annotation', () => {
    expect(readLeavingMark({ [leavingAnnotation]: formatLeavingMark(mark) })).toEqual(mark);
    expect(readLeavingMark({})).toBeUndefined();
    expect(readLeavingMark(undefined)).toBeUndefined();
  });
});
