import { describe, expect, it } from 'vitest';
import { decideFloor, shallGiveBack } from '../../../../shared/capacity/holds/decide-floor.ts';
import type { GroupHolds } from '../../../../shared/capacity/holds/floor-record.ts';
import type { Hold } from '../../../../shared/capacity/holds/hold.ts';
import type { AutoScalingGroup } from '../../../../shared/groups/group.ts';
import { facts, group, holdOf, hour, known, recordOf, start } from './fixtures.ts';

describe('the floor of a group', () => {
  it('is not changed without holds', () => {
    expect(decideFloor(facts())).toEqual({ action: { kind: 'none' }, floor: 2, problems: [] });
  });

  it('is raised for a hold, and the record is created with the values that are about to be set', () => {
    const { action, floor } = decideFloor(facts({ holds: [holdOf()] }));
    expect(floor).toBe(6);
    expect(action).toEqual({
      kind: 'set',
      bounds: { minSize: 6 },
      record: recordOf({
        minSize: { base: 2, ours: [6] },
        changedAt: start,
        lacks: [{ nodes: 6, since: start }],
      }),
    });
  });

  it('is lowered although the clock that wrote the record was an hour ahead', () => {
    const record = known({ minSize: { base: 2, ours: [6] }, changedAt: start + hour });
    expect(decideFloor(facts({ group: group({ minSize: 6 }), record })).action).toMatchObject({
      kind: 'set',
      bounds: { minSize: 2 },
    });
  });

  it('is the highest of the base and the holds', () => {
    const holds = [
      holdOf({ nodes: 4 }),
      holdOf({ name: 'noon', nodes: 7 }),
      holdOf({ name: 'small', nodes: 1 }),
    ];
    expect(decideFloor(facts({ holds })).floor).toBe(7);
    expect(decideFloor(facts({ holds: [holdOf({ nodes: 1 })] })).floor).toBe(2);
  });

  it('has a record while there is a hold, even if nothing must be raised', () => {
    const { action } = decideFloor(facts({ holds: [holdOf({ nodes: 1 })] }));
    expect(action).toEqual({
      kind: 'write',
      record: recordOf({ changedAt: start, lacks: [{ nodes: 1, since: start }] }),
    });
  });

  it('is raised immediately for a second hold, although the first has just been applied', () => {
    const record = known({ minSize: { base: 2, ours: [6] }, changedAt: start - 1000 });
    const holds = [holdOf(), holdOf({ name: 'noon', nodes: 8 })];
    expect(decideFloor(facts({ record, holds, group: group({ minSize: 6 }) })).action).toMatchObject({
      kind: 'set',
      bounds: { minSize: 8 },
      record: { minSize: { base: 2, ours: [6, 8] } },
    });
  });

  it('is lowered to the base when the last hold has ended', () => {
    const record = known({ minSize: { base: 2, ours: [6] } });
    const now = start + hour;
    expect(
      decideFloor(facts({ record, holds: [holdOf()], group: group({ minSize: 6 }), now })).action,
    ).toEqual({
      kind: 'set',
      bounds: { minSize: 2 },
      record: recordOf({ minSize: { base: 2, ours: [6] }, changedAt: now }),
    });
  });

  it('is lowered to the next hold when the highest has ended', () => {
    const record = known({ minSize: { base: 2, ours: [8] } });
    const holds = [holdOf({ nodes: 8, until: start }), holdOf({ name: 'noon', nodes: 5 })];
    expect(decideFloor(facts({ record, holds, group: group({ minSize: 8 }) })).action).toMatchObject({
      kind: 'set',
      bounds: { minSize: 5 },
    });
  });

  it('is not lowered within two minutes of a change, because what was read may be older', () => {
    const record = known({ minSize: { base: 2, ours: [6] }, changedAt: start - 119_000 });
    expect(decideFloor(facts({ record, group: group({ minSize: 6 }) })).action).toEqual({
      kind: 'wait',
      seconds: 1,
    });
  });

  it('is not lowered while a hold cannot be read, and that is a problem', () => {
    const unreadable = {
      kind: 'unreadable',
      autoScalingGroupName: 'workers',
      name: 'odd',
      why: 'x',
    } as const;
    const record = known({ minSize: { base: 2, ours: [6] } });
    const decision = decideFloor(facts({ record, holds: [unreadable], group: group({ minSize: 6 }) }));
    expect(decision.action).toEqual({ kind: 'none' });
    expect(decision.problems.join()).toContain('hold odd cannot be read');
    const beside = facts({ record, holds: [holdOf({ nodes: 4 }), unreadable], group: group({ minSize: 6 }) });
    expect(decideFloor(beside).action).not.toHaveProperty('bounds');
  });

  it('is still raised while another hold cannot be read', () => {
    const unreadable = {
      kind: 'unreadable',
      autoScalingGroupName: 'workers',
      name: 'odd',
      why: 'x',
    } as const;
    expect(decideFloor(facts({ holds: [unreadable, holdOf()] })).action).toMatchObject({
      kind: 'set',
      bounds: { minSize: 6 },
    });
  });

  it('is at most MaxSize, and a hold that asks for more is a problem', () => {
    const { floor, problems } = decideFloor(facts({ holds: [holdOf({ nodes: 12 })] }));
    expect(floor).toBe(10);
    expect(problems).toEqual([
      'hold morning asks for 12 nodes, and MaxSize is 10: raise MaxSize, or let the hold raise it',
    ]);
  });
});

describe('MaxSize', () => {
  const raising = holdOf({ nodes: 12, raiseMaxSize: true });

  it('is raised with MinSize, in one call, for a hold with raiseMaxSize', () => {
    expect(decideFloor(facts({ holds: [raising] })).action).toMatchObject({
      bounds: { minSize: 12, maxSize: 12 },
      record: { maxSize: { base: 10, ours: [12] } },
    });
  });

  const applied = known({ minSize: { base: 2, ours: [12] }, maxSize: { base: 10, ours: [12] } });

  it.each([11, 12])(
    'stays while a desired capacity of %i needs it, for Auto Scaling would terminate nodes',
    (desiredCapacity) => {
      const large = group({ minSize: 12, maxSize: 12, desiredCapacity });
      const decision = decideFloor(facts({ record: applied, group: large }));
      expect(decision.action).toMatchObject({ kind: 'set', bounds: { minSize: 2 } });
      expect(decision.action).not.toMatchObject({ bounds: { maxSize: expect.anything() } });
      expect(decision.problems.join()).toContain(
        `MaxSize stays 12 until the desired capacity (${desiredCapacity}) is at most 10`,
      );
    },
  );

  it('is restored once the desired capacity fits', () => {
    const small = group({ minSize: 2, maxSize: 12, desiredCapacity: 10 });
    expect(decideFloor(facts({ record: applied, group: small })).action).toMatchObject({
      kind: 'set',
      bounds: { maxSize: 10 },
    });
  });
});

describe('a bound that something else has set', () => {
  it('is the new base, and that is reported once', () => {
    const record = known({ minSize: { base: 2, ours: [6] } });
    const decision = decideFloor(facts({ record, holds: [holdOf()], group: group({ minSize: 7 }) }));
    expect(decision.action).toMatchObject({
      kind: 'write',
      record: { minSize: { base: 7 }, changedAt: start },
    });
    expect(decision.problems).toEqual(['something else set MinSize to 7, which is the base now (it was 2)']);
  });

  it('is not a new base if the holds ask for it: the record may be older than the last change', () => {
    const record = known();
    const raised = group({ minSize: 6, maxSize: 12 });
    const holds = [holdOf(), holdOf({ name: 'small', nodes: 1, raiseMaxSize: true })];
    const decision = decideFloor(facts({ record, holds, group: raised }));
    expect(decision.action).toMatchObject({
      record: { minSize: { base: 2, ours: [6] }, maxSize: { base: 12, ours: [] } },
    });
    expect(decision.problems).toHaveLength(1);
  });

  it('is raised again if it is below the floor, and is restored after the holds', () => {
    const record = known({ minSize: { base: 2, ours: [6] } });
    expect(
      decideFloor(facts({ record, holds: [holdOf()], group: group({ minSize: 3 }) })).action,
    ).toMatchObject({
      kind: 'set',
      bounds: { minSize: 6 },
      record: { minSize: { base: 3, ours: [6] } },
    });
  });

  it('is recognized after a pass was killed between the record and the change', () => {
    const record = known({ minSize: { base: 2, ours: [6] }, changedAt: start - 5000 });
    expect(decideFloor(facts({ record, holds: [holdOf()] })).action).toMatchObject({
      kind: 'set',
      bounds: { minSize: 6 },
      record: { minSize: { base: 2, ours: [6] } },
    });
  });

  it('is recognized for MaxSize too', () => {
    const record = known({ maxSize: { base: 10, ours: [12] } });
    expect(
      decideFloor(facts({ record, holds: [holdOf()], group: group({ maxSize: 20 }) })).action,
    ).toMatchObject({
      record: { maxSize: { base: 20, ours: [12] } },
    });
  });
});

describe('a record of the floor', () => {
  const raised = group({ minSize: 6 });

  it('that is lost while a hold raises MinSize is created again from the current bounds, and MinSize is never set below them', () => {
    const found = decideFloor(facts({ holds: [holdOf()], now: start + 120_000, group: raised }));
    expect(found.action).toMatchObject({
      kind: 'write',
      record: { minSize: { base: 6, ours: [] }, lost: true },
    });
    expect(found.problems.join()).toContain('MinSize is not lowered below the 6 that was found then');
    const after = decideFloor(
      facts({ group: raised, record: known({ minSize: { base: 6, ours: [] }, lost: true }) }),
    );
    expect(after.action).toEqual({ kind: 'forget' });
  });

  const isLost = (changes: Parameters<typeof facts>[0]): boolean => {
    const { action, problems } = decideFloor(facts({ now: start + 30 * 60_000, ...changes }));
    const isProblem = problems.join().includes('was lost');
    expect('record' in action && action.record.lost === true).toBe(isProblem);
    return isProblem;
  };
  const handmade = () => {
    const { hold } = holdOf() as { readonly hold: Hold };
    const { createdAt: _, ...rest } = hold;
    return { kind: 'hold' as const, hold: rest };
  };

  it.each([
    ['the hold was written without a time of its creation', { holds: [handmade()], group: raised }],
    ['the hold is three minutes old', { holds: [holdOf({ createdAt: start + 27 * 60_000 })], group: raised }],
    [
      'a second, higher hold has just been made',
      {
        holds: [holdOf(), holdOf({ name: 'noon', nodes: 8, createdAt: start + 30 * 60_000 })],
        group: raised,
      },
    ],
    [
      'MaxSize is smaller than the hold',
      { holds: [holdOf({ nodes: 40 })], group: group({ minSize: 10, maxSize: 10 }) },
    ],
  ])('that is missing is lost if %s', (_, changes) => {
    expect(isLost(changes)).toBe(true);
  });

  it.each([
    ['MinSize is not raised, because the group was paused or AWS throttled', { holds: [holdOf()] }],
    ['MinSize is above the hold without it', { holds: [holdOf({ nodes: 1 })] }],
    ['the hold is new', { holds: [holdOf({ createdAt: start + 29 * 60_000 })], group: raised }],
    ['the hold has ended', { holds: [holdOf({ until: start + 29 * 60_000 })], group: raised }],
    ['there is no hold', { group: raised }],
  ])('that is missing was never there if %s', (_, changes) => {
    expect(isLost(changes)).toBe(false);
  });

  it('is no longer lost once something else sets MinSize, because that is the base', () => {
    const record = known({ minSize: { base: 6, ours: [] }, lost: true });
    expect(isLost({ record, holds: [holdOf()], group: raised })).toBe(true);
    expect(isLost({ record, holds: [holdOf()], group: group({ minSize: 3 }) })).toBe(false);
    expect(isLost({ record, holds: [holdOf()], group: group({ minSize: 6, maxSize: 12 }) })).toBe(true);
  });

  it('that cannot be read is treated as lost', () => {
    const record = { kind: 'unreadable', why: 'x' } as const;
    expect(decideFloor(facts({ record, group: group({ minSize: 6 }) })).action).toMatchObject({
      kind: 'write',
      record: { minSize: { base: 6 }, lost: true },
    });
  });

  it('of a later version prevents every change', () => {
    const decision = decideFloor(facts({ record: { kind: 'newer', version: 2 }, holds: [holdOf()] }));
    expect(decision.action).toEqual({ kind: 'none' });
    expect(decision.problems.join()).toContain('a later version of Drover');
  });

  it('removes older bounds when Auto Scaling certainly shows the newest', () => {
    const lacks = [{ nodes: 6, since: start - 120_000 }];
    const record = known({ minSize: { base: 2, ours: [8, 6] }, changedAt: start - 120_000, lacks });
    expect(
      decideFloor(facts({ record, holds: [holdOf()], group: group({ minSize: 6 }) })).action,
    ).toMatchObject({
      kind: 'write',
      record: { minSize: { base: 2, ours: [6] } },
    });
  });

  it('is deleted after the parameters of ended holds, when the base is restored', () => {
    const record = known({ minSize: { base: 2, ours: [6] } });
    const ended = holdOf({ until: start - 120_000 });
    expect(decideFloor(facts({ record, holds: [ended] })).action).toEqual({
      kind: 'end',
      names: ['morning'],
    });
    expect(decideFloor(facts({ record })).action).toEqual({ kind: 'forget' });
  });

  it('is kept while a hold has just ended, because it may have been extended', () => {
    const record = known();
    const justEnded = holdOf({ until: start - 119_000 });
    expect(decideFloor(facts({ record, holds: [justEnded] })).action).toEqual({ kind: 'none' });
  });
});

describe('the record of a group whose holds lack nodes', () => {
  const lacks = [{ nodes: 6, since: start - 900_000 }];
  const raised = { minSize: { base: 2, ours: [6] }, changedAt: start - 2 * hour, lacks };
  const short = (record: Parameters<typeof known>[0]) =>
    decideFloor(facts({ record: known(record), holds: [holdOf()], group: group({ minSize: 6 }) })).action;

  it('stores that, so that one notification is sent', () => {
    expect(short(raised)).toEqual({ kind: 'write', record: recordOf({ ...raised, unmet: true }) });
    expect(short({ ...raised, unmet: true })).toEqual({ kind: 'none' });
  });

  it('removes that when the holds have ended or have their nodes, so that the next time is notified', () => {
    const record = known({ minSize: { base: 2, ours: [] }, changedAt: start - hour, unmet: true });
    expect(decideFloor(facts({ record, holds: [holdOf({ nodes: 0 })] })).action).toEqual({
      kind: 'write',
      record: recordOf({ minSize: { base: 2, ours: [] }, changedAt: start - hour }),
    });
  });
});

describe('groups whose capacity is not for holds', () => {
  it.each([['etcd', { 'drover.dev/role': 'etcd' }, 'membership of etcd']])('%s', (_name, tags, words) => {
    const decision = decideFloor(facts({ group: group({ tags }), holds: [holdOf()] }));
    expect(decision.action).toEqual({ kind: 'none' });
    expect(decision.problems.join()).toContain(words);
  });
});

describe('a hold that raises MaxSize', () => {
  it('raises it at most to maxSizeLimit, and reports that', () => {
    const { action, problems } = decideFloor(facts({ holds: [holdOf({ nodes: 101, raiseMaxSize: true })] }));
    expect(action).toMatchObject({ kind: 'set', bounds: { minSize: 100, maxSize: 100 } });
    expect(problems).toEqual([
      'hold morning asks for 101 nodes, and MaxSize is 100: a hold raises it to 100 at most (the parameter maxSizeLimit of the deployment)',
    ]);
  });

  it('never lowers a MaxSize above the limit', () => {
    const large = group({ maxSize: 300 });
    const { action } = decideFloor(
      facts({ group: large, holds: [holdOf({ nodes: 400, raiseMaxSize: true })] }),
    );
    expect(action).toMatchObject({ kind: 'set', bounds: { minSize: 300 } });
    expect(action).not.toHaveProperty('bounds.maxSize');
  });
});

describe('a group whose sizes are units of capacity', () => {
  const inUnits = group({ countsUnits: true });

  it('is not changed for a hold, which is a problem', () => {
    const { action, floor, problems } = decideFloor(facts({ group: inUnits, holds: [holdOf()] }));
    expect({ action, floor }).toEqual({ action: { kind: 'none' }, floor: 2 });
    expect(problems).toEqual([expect.stringMatching(/^hold morning does not count: .*no size in nodes/)]);
  });

  it('gets its base back if a hold had raised it, and its ended holds are deleted', () => {
    const raised = group({ countsUnits: true, minSize: 6, desiredCapacity: 6 });
    const record = known({ minSize: { base: 2, ours: [6] } });
    expect(decideFloor(facts({ group: raised, record, holds: [holdOf()] })).action).toMatchObject({
      kind: 'set',
      bounds: { minSize: 2 },
    });
    const ended = holdOf({ name: 'evening', until: start - 120_000 });
    expect(decideFloor(facts({ group: inUnits, record: known(), holds: [holdOf(), ended] })).action).toEqual({
      kind: 'end',
      names: ['evening'],
    });
    expect(decideFloor(facts({ group: inUnits, record: known(), holds: [holdOf()] })).action).toEqual({
      kind: 'forget',
    });
  });
});

const now = Date.parse('2026-11-24T12:00:00Z');

const givingGroup = (changes: Partial<AutoScalingGroup> = {}): AutoScalingGroup => ({
  autoScalingGroupName: 'workers',
  tags: { 'drover.dev/role': 'worker', 'drover.dev/give-back-empty': 'true' },
  minSize: 1,
  maxSize: 9,
  desiredCapacity: 4,
  instances: [],
  targetGroupArns: [],
  retainsAbandoned: false,
  ...changes,
});

const recordFrom = (secondsAgo: number): GroupHolds['record'] => ({
  kind: 'record',
  record: {
    minSize: { base: 1, ours: [] },
    maxSize: { base: 9, ours: [] },
    changedAt: now - secondsAgo * 1000,
  },
});

const holdUntil = (until: number): GroupHolds['holds'][number] => ({
  kind: 'hold',
  hold: { autoScalingGroupName: 'workers', name: 'sale', nodes: 4, until, raiseMaxSize: false },
});

const afterHolds = (changes: Partial<GroupHolds> = {}) => ({
  holds: [],
  record: recordFrom(60),
  now,
  ...changes,
});

describe('empty nodes', () => {
  it('are given back for an hour after the last hold, even while its parameter exists', () => {
    expect(shallGiveBack(givingGroup(), afterHolds())).toBe(true);
    expect(shallGiveBack(givingGroup(), afterHolds({ holds: [holdUntil(now - 1)] }))).toBe(true);
    expect(shallGiveBack(givingGroup(), afterHolds({ record: recordFrom(3599) }))).toBe(true);
    expect(shallGiveBack(givingGroup(), afterHolds({ record: recordFrom(3600) }))).toBe(false);
  });

  it.each([
    ['a hold is active', givingGroup(), afterHolds({ holds: [holdUntil(now + 1)] })],
    [
      'a hold cannot be read',
      givingGroup(),
      afterHolds({
        holds: [{ kind: 'unreadable', autoScalingGroupName: 'workers', name: 'a', why: 'no JSON' }],
      }),
    ],
    ['there is no record', givingGroup(), afterHolds({ record: { kind: 'none' } })],
    ['MinSize is not the base yet', givingGroup({ minSize: 4, desiredCapacity: 5 }), afterHolds()],
    ['the desired capacity is MinSize', givingGroup({ desiredCapacity: 1 }), afterHolds()],
    ['the group counts units of capacity', givingGroup({ countsUnits: true }), afterHolds()],
    ['the group does not ask for it', givingGroup({ tags: { 'drover.dev/role': 'worker' } }), afterHolds()],
  ])('are not given back if %s', (_, held, known) => {
    expect(shallGiveBack(held, known)).toBe(false);
  });
});
