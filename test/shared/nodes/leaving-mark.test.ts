import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  believedMarkOf,
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

describe('the mark that is believed', () => {
  const createdAt = Date.parse('2026-11-21T11:00:00Z');
  const now = Date.parse('2026-11-21T12:10:00Z');
  const startedAt = Date.parse('2026-11-21T11:59:00Z');
  const nodeWith = (change: object, providerID = `aws:///eu-west-1a/${instanceId}`) => ({
    metadata: {
      creationTimestamp: new Date(createdAt).toISOString(),
      annotations: { [leavingAnnotation]: JSON.stringify({ ...mark, ...change }) },
    },
    spec: { providerID },
  });
  const believed = (change: object, providerID?: string) =>
    believedMarkOf(nodeWith(change, providerID), { now, startedAt });

  it('is the one that Drover wrote', () => {
    expect(believed({})).toEqual(mark);
  });

  it('began when the leave began, if its own beginning lies ahead', () => {
    expect(believed({ since: '2099-01-01T00:00:00Z' })?.since).toBe('2026-11-21T11:59:00.000Z');
  });

  it('is as old as its Node, if it claims to be older or if nothing shows when the leave began', () => {
    const created = '2026-11-21T11:00:00.000Z';
    expect(believed({ since: '1999-01-01T00:00:00Z' })?.since).toBe(created);
    expect(believedMarkOf(nodeWith({ since: '2099-01-01T00:00:00Z' }), { now })?.since).toBe(created);
  });

  it('counts as not renewed, if its renewal lies ahead', () => {
    expect(believed({ renewedAt: '2099-01-01T00:00:00Z' })?.renewedAt).toBe('2026-11-21T12:00:00.000Z');
  });

  it.each(['until', 'waitEndsAt', 'emptySince', 'uncordonedAt', 'missingSince'] as const)(
    'has no %s that Drover could not have written',
    (field) => {
      expect(believed({ [field]: '2099-01-01T00:00:00Z' })?.[field]).toBeUndefined();
    },
  );

  it('is not one that names another instance than the Node does', () => {
    expect(believed({ instanceId: 'i-0aaaaaaaaaaaaaaaa' })).toBeUndefined();
    expect(believed({}, '')).toEqual(mark);
  });

  it.each([
    ['a heartbeat timeout that AWS does not allow', { heartbeatTimeoutSeconds: 1 }],
    ['a huge heartbeat timeout', { heartbeatTimeoutSeconds: 1e15 }],
    ['more pods than Drover writes', { waitingFor: Array.from({ length: 11 }, () => 'shop/web') }],
    ['a line that Drover would shorten', { waitingFor: ['w'.repeat(161)] }],
    ['many notifications', { told: Array.from({ length: 21 }, () => 'node-leaving') }],
    ['a huge text', { bootBefore: 'b'.repeat(200_000) }],
  ])('is not one with %s', (_, change) => {
    expect(believed(change)).toBeUndefined();
  });

  it('has no time outside the life of the Node and the clock, whatever the annotation says', () => {
    const anyTime = fc
      .date({ min: new Date(0), max: new Date('9999-01-01'), noInvalidDate: true })
      .map((date) => date.toISOString());
    const times = ['since', 'renewedAt', 'until', 'waitEndsAt', 'emptySince', 'uncordonedAt', 'missingSince'];
    const change = fc.record(Object.fromEntries(times.map((name) => [name, anyTime])), { requiredKeys: [] });
    fc.assert(
      fc.property(change, (odd) => {
        const read = believed(odd);
        const since = Date.parse(read?.since ?? '');
        expect(since).toBeGreaterThanOrEqual(createdAt);
        for (const name of ['since', 'renewedAt', 'emptySince', 'uncordonedAt', 'missingSince'] as const)
          expect(Date.parse(read?.[name] ?? '') || now).toBeLessThanOrEqual(now + 60_000);
        expect(Date.parse(read?.until ?? '') || since).toBeLessThanOrEqual(since + 48 * 3_600_000);
        expect(Date.parse(read?.waitEndsAt ?? '') || now).toBeLessThanOrEqual(now + 7_260_000);
      }),
    );
  });
});
