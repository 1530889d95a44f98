import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { decideFloor, recordWhilePaused } from '../../../../shared/capacity/holds/decide-floor.ts';
import { formatFloorRecord, readFloorRecord } from '../../../../shared/capacity/holds/floor-record.ts';
import {
  capacityMessage,
  newestReading,
  readCapacityMessage,
} from '../../../../shared/capacity/holds/message.ts';
import { knowPods } from '../../../../shared/capacity/holds/pod-floor.ts';
import { podsAfter } from '../../../../shared/capacity/pod-holds/known-pods.ts';
import {
  fittingVerdicts,
  type PodsReading,
  type PodsRecord,
} from '../../../../shared/capacity/pod-holds/pods-reading.ts';
import { facts, group, holdOf, hour, known, recordOf, start } from '../holds/fixtures.ts';
import { web } from './fixtures.ts';

const minute = 60_000;
const verdict = { total: 40, open: 40, placed: 12 };
const reading = (changes: Partial<Extract<PodsReading, { kind: 'read' }>> = {}): PodsReading => ({
  kind: 'read',
  readAt: start,
  nodes: 6,
  holds: { morning: verdict },
  ...changes,
});
const failed = (readAt = start): PodsReading => ({ kind: 'failed', readAt, why: 'pods cannot be listed' });
const pods = (changes: Partial<PodsRecord> = {}): PodsRecord => ({
  nodes: 6,
  readAt: start - minute,
  holds: {},
  ...changes,
});

describe('the number of nodes for the pods of holds', () => {
  it.each([
    ['a higher one counts', undefined, reading(), 6],
    ['a lower one counts while it is fresh', pods({ nodes: 9 }), reading(), 6],
    [
      'a lower one that came late does not count',
      pods({ nodes: 9, readAt: start - 10 * minute }),
      reading({ readAt: start - 5 * minute }),
      9,
    ],
    [
      'a higher one that came late counts',
      pods({ nodes: 5, readAt: start - 10 * minute }),
      reading({ readAt: start - 5 * minute }),
      6,
    ],
    [
      'one that is not newer than the known one changes nothing',
      pods({ readAt: start }),
      reading({ nodes: 9 }),
      6,
    ],
    ['stays without a reading', pods({ nodes: 9 }), undefined, 9],
    ['stays after a failed reading', pods({ nodes: 9 }), failed(), 9],
    [
      'an older one that comes after a failed reading changes nothing',
      pods({ nodes: 9, readAt: start - 3 * minute, failed: { why: 'odd', since: start } }),
      reading({ readAt: start - minute }),
      9,
    ],
    ['is 0 if nothing was ever read', undefined, failed(), 0],
    [
      'is read again although the clock that wrote the record was an hour ahead',
      pods({ nodes: 9, readAt: start + hour }),
      reading(),
      6,
    ],
  ])('%s', (_, before, after, nodes) => {
    expect(podsAfter(before, after, start).nodes).toBe(nodes);
  });

  it('remembers since when no read has succeeded, and the verdicts of the last one', () => {
    const before = podsAfter(undefined, reading({ readAt: start - minute }), start);
    const once = podsAfter(before, failed(), start);
    const twice = podsAfter(once, failed(start + minute), start + minute);
    expect(twice).toEqual({
      nodes: 6,
      readAt: start - minute,
      holds: { morning: verdict },
      failed: { why: 'pods cannot be listed', since: start },
    });
    expect(podsAfter(twice, reading({ readAt: start + 2 * minute }), start + 2 * minute)).not.toHaveProperty(
      'failed',
    );
  });

  it('falls only by a reading that is fresh and newer than every reading before it, in whatever order they come', () => {
    const readings = fc.array(
      fc.record({ at: fc.integer({ min: 0, max: 20 }), nodes: fc.nat(9), fails: fc.boolean() }),
      { maxLength: 12 },
    );
    fc.assert(
      fc.property(readings, (list) => {
        let state: PodsRecord | undefined;
        let newest: { readonly at: number; readonly nodes: number } | undefined;
        const now = start + 20 * minute;
        for (const { at, nodes, fails } of list) {
          const readAt = start + at * minute;
          const next = podsAfter(state, fails ? failed(readAt) : reading({ readAt, nodes }), now);
          const isFresh = at >= 18;
          const before = state?.nodes ?? 0;
          // Only what is fresh, and newer than everything before, lowers.
          if (next.nodes < before) expect(isFresh && !fails && readAt > (state?.readAt ?? 0)).toBe(true);
          if (!fails && (newest === undefined || at > newest.at)) newest = { at, nodes };
          state = next;
        }
        if (newest) expect(state?.readAt ?? 0).toBeLessThanOrEqual(start + newest.at * minute);
      }),
    );
  });
});

describe('the floor of a group with a hold for pods', () => {
  const forPods = (changes = {}) => holdOf({ nodes: 0, pods: web(), ...changes });
  const decide = ({
    reading: one,
    ...changes
  }: Parameters<typeof facts>[0] & { readonly reading?: PodsReading } = {}) => {
    const all = facts({ holds: [forPods()], ...changes });
    return decideFloor(knowPods(all, { reading: one, now: all.now }));
  };

  it('is raised to what a read found, and the record remembers it', () => {
    const { action, floor } = decide({ reading: reading() });
    expect(floor).toBe(6);
    expect(action).toMatchObject({
      kind: 'set',
      bounds: { minSize: 6 },
      record: { pods: { nodes: 6, readAt: start, holds: { morning: verdict } } },
    });
  });

  it('is the base until a read has succeeded, and that is remembered too', () => {
    const { action, floor } = decide({ reading: failed() });
    expect(floor).toBe(2);
    expect(action).toMatchObject({ kind: 'write', record: { pods: { nodes: 0, failed: { since: start } } } });
  });

  it('is the highest of the base, holds of nodes and what the pods need', () => {
    const holds = [forPods(), holdOf({ name: 'noon', nodes: 8 })];
    expect(decide({ reading: reading(), holds }).floor).toBe(8);
    expect(decide({ reading: reading({ nodes: 9 }), holds }).floor).toBe(9);
  });

  const raised = { group: group({ minSize: 9 }), now: start + minute };
  const record = (changes: Partial<PodsRecord> = {}, changedAt = start - hour) =>
    known({
      minSize: { base: 2, ours: [9] },
      changedAt,
      pods: pods({ nodes: 9, readAt: start, ...changes }),
    });

  it('follows the pods down once they need fewer nodes', () => {
    const decision = decide({ ...raised, record: record(), reading: reading({ readAt: start + minute }) });
    expect(decision.action).toMatchObject({ kind: 'set', bounds: { minSize: 6 } });
  });

  it('is not lowered within two minutes of a change, although the reading is fresh', () => {
    const lower = reading({ readAt: start + minute });
    const decision = decide({ ...raised, record: record({}, start), reading: lower });
    expect(decision.action).toMatchObject({ kind: 'write', record: { pods: { nodes: 6 } } });
  });

  it.each([
    ['without a reading', undefined],
    ['after a failed look', failed(start + minute)],
  ])('stays %s', (_, one) => {
    expect(decide({ ...raised, record: record(), reading: one as PodsReading }).floor).toBe(9);
  });

  it('is the base again when the hold has ended, and the record forgets the pods', () => {
    const decision = decide({ ...raised, record: record(), now: start + 2 * hour });
    expect(decision.action).toMatchObject({ kind: 'set', bounds: { minSize: 2 } });
    expect(decision.action).toHaveProperty('record');
    expect((decision.action as { record: object }).record).not.toHaveProperty('pods');
  });

  it('at MaxSize names the pods and the nodes that they take', () => {
    expect(decide({ reading: reading({ nodes: 14 }) }).problems).toEqual([
      'hold morning asks for 40 pods: with what runs in the group that takes 14 nodes, and MaxSize is 10: raise MaxSize, or let the hold raise it',
    ]);
  });

  it('raises MaxSize for a hold for pods that may', () => {
    const holds = [forPods({ raiseMaxSize: true })];
    expect(decide({ holds, reading: reading({ nodes: 14 }) }).action).toMatchObject({
      bounds: { minSize: 14, maxSize: 14 },
    });
  });

  it('does not keep ended holds of nodes from being deleted, although each minute has a new reading', () => {
    const ended = holdOf({ name: 'noon', until: start - 10 * minute });
    const settled = known({ pods: pods(), lacks: [{ nodes: 6, since: start - minute }] });
    const held = { holds: [forPods(), ended], record: settled, reading: reading({ nodes: 1 }) };
    const calm = known({ pods: pods({ nodes: 1 }), lacks: [{ nodes: 1, since: start - minute }] });
    expect(decide({ ...held, record: calm }).action).toEqual({ kind: 'end', names: ['noon'] });
    expect(decide({ ...held, record: calm, holds: [forPods()] }).action).toMatchObject({ kind: 'write' });
  });

  it('is known while the group is paused, so that it is right as soon as the pause ends', () => {
    const record = known({ pods: pods(), lacks: [{ nodes: 6, since: start - minute }] });
    const all = facts({ holds: [forPods()], record });
    const next = recordWhilePaused(knowPods(all, { reading: reading(), now: start }));
    expect(next).toMatchObject({ pods: { nodes: 6, readAt: start }, minSize: { base: 2, ours: [] } });
  });

  it('counts no pods in a group whose sizes are units, and says so', () => {
    const decision = decide({ group: group({ countsUnits: true }), reading: reading() });
    expect(decision.floor).toBe(2);
    expect(decision.problems.join()).toContain('hold morning does not count');
  });
});

describe('the hold of a Job', () => {
  const job = (changes = {}) => holdOf({ nodes: 0, pods: web({ endsOnceBound: true }), ...changes });
  const seen = (changes = {}) =>
    reading({
      readAt: start + minute,
      nodes: 2,
      holds: { morning: { total: 40, open: 0, placed: 0, ...changes } },
    });
  const act = (one: PodsReading, hold = job()) => {
    const all = facts({ holds: [hold], now: start + minute });
    return decideFloor(knowPods(all, { reading: one, now: all.now })).action.kind;
  };

  it('ends once all its pods were bound at one read', () => {
    expect(act(seen())).toBe('arrived');
  });

  it.each([
    ['a pod is open', seen({ open: 1 }), job()],
    ['it asks for more pods since the read', seen({ total: 39 }), job()],
    ['it was made after the read', seen(), job({ createdAt: start + 2 * minute })],
    ['it is not that of a Job', seen(), holdOf({ nodes: 0, pods: web() })],
    ['the read failed', failed(start + minute), job()],
  ])('stays if %s', (_, one, hold) => {
    expect(act(one, hold)).not.toBe('arrived');
  });
});

describe('the record of a floor with pods', () => {
  it('is read as it was written', () => {
    const whole = recordOf({
      pods: {
        nodes: 6,
        readAt: start,
        holds: { morning: { ...verdict, withoutPlace: 3, why: 'Insufficient cpu' } },
        failed: { why: 'x', since: start },
      },
    });
    expect(readFloorRecord(formatFloorRecord(whole))).toEqual({ kind: 'record', record: whole });
  });

  it('has so many bytes of the reason of a failure, whichever characters it has', () => {
    const { failed: cut } = podsAfter(
      undefined,
      { kind: 'failed', readAt: start, why: '\u0001é'.repeat(400) },
      start,
    );
    expect(Buffer.byteLength(JSON.stringify(cut?.why))).toBeLessThanOrEqual(300);
    expect(cut?.why).toMatch(/^.é.*…$/);
  });

  it('has a place in its parameter, however many holds there are and however long the reasons', () => {
    const holds = fc.dictionary(
      fc.stringMatching(/^[A-Za-z0-9][\w.-]{0,63}$/),
      fc.record({
        total: fc.nat(10_000),
        open: fc.nat(10_000),
        placed: fc.nat(10_000),
        why: fc.string({ maxLength: 900, unit: 'binary' }),
      }),
      { maxKeys: 60 },
    );
    fc.assert(
      fc.property(holds, fc.string({ maxLength: 900, unit: 'binary' }), (verdicts, why) => {
        const { failed: lastFailure } = podsAfter(undefined, { kind: 'failed', readAt: start, why }, start);
        const fitting = fittingVerdicts(verdicts);
        const ours = Array.from({ length: 40 }, (_, index) => 1000 + index);
        const lacks = Array.from({ length: 20 }, (_, index) => ({ nodes: 1000 + index, since: start }));
        const text = formatFloorRecord(
          recordOf({
            minSize: { base: 1000, ours },
            maxSize: { base: 1000, ours },
            lacks,
            unmet: true,
            lost: true,
            pods: {
              nodes: 1000,
              readAt: start,
              holds: fitting,
              ...(lastFailure && { failed: lastFailure }),
            },
          }),
        );
        expect(Buffer.byteLength(text)).toBeLessThanOrEqual(4096);
        expect(readFloorRecord(text).kind).toBe('record');
      }),
      { numRuns: 50 },
    );
  });
});

describe('the message about the capacity of a group', () => {
  const notice = {
    cause: 'looked' as const,
    autoScalingGroupName: 'workers',
    noticedAt: '2026-11-24T12:00:00.000Z',
  };
  const noticeOf = (one?: PodsReading) => {
    const read = readCapacityMessage(capacityMessage(notice, one).body);
    if (read.kind !== 'message') throw new Error('not a message');
    return read.message.notice;
  };

  it('has the newest reading of the pods, if there is one', () => {
    const later = failed(start + minute);
    expect(newestReading([noticeOf(reading()), noticeOf(later), noticeOf()])).toEqual(later);
    expect(newestReading([noticeOf(reading())])).toEqual(reading());
    expect(newestReading([noticeOf()])).toBeUndefined();
  });

  // A message that cannot be read is parked, and the group would have no pass for any of its holds.
  it('can be read, however long the reasons are, and the name of a hold that was written by hand', () => {
    const name = 'by-hand.'.repeat(40);
    const why = 'Insufficient example.com/device, '.repeat(100);
    const got = newestReading([noticeOf(reading({ holds: { [name]: { ...verdict, why } } }))]);
    expect(got).toMatchObject({ kind: 'read', nodes: 6, holds: { [name]: verdict } });
    expect(newestReading([noticeOf({ kind: 'failed', readAt: start, why })])?.kind).toBe('failed');
  });
});
