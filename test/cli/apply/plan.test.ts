import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Declared, DeclaredHold, DeclaredSchedule } from '../../../cli/apply/declared.ts';
import { keyOf } from '../../../cli/apply/declared.ts';
import { isChange, type LiveRecords, planApply, type Step } from '../../../cli/apply/plan.ts';

const now = Date.parse('2026-01-05T08:00:00Z');
const options = { prune: true, force: false, now };

const sets = ['a', 'b', 'A', 'aa'] as const;
const names = ['x', 'X', 'xx', 'y'] as const;

const hold = fc.record({
  kind: fc.constant('hold' as const),
  autoScalingGroupName: fc.constantFrom('workers', 'Workers'),
  name: fc.constantFrom(...names),
  nodes: fc.integer({ min: 1, max: 3 }),
  until: fc.constantFrom(now - 60_000, now + 60_000, now + 120_000),
  raiseMaxSize: fc.boolean(),
});

const schedule = fc.record({
  kind: fc.constant('schedule' as const),
  name: fc.constantFrom(...names),
  autoScalingGroupName: fc.constantFrom('workers', 'Workers'),
  nodes: fc.integer({ min: 1, max: 3 }),
  expression: fc.constantFrom(
    'cron(0 8 ? * MON-FRI *)',
    'at(2026-01-05T07:00:00)',
    'at(2026-01-05T09:00:00)',
  ),
  timeZone: fc.constant('UTC'),
  durationSeconds: fc.constant(600),
  lead: fc.constantFrom<'measured' | number>('measured', 60),
  exceptions: fc.constant<readonly string[]>([]),
  raiseMaxSize: fc.boolean(),
});

const record = fc.oneof(hold, schedule);
const owned = fc.record({ record, set: fc.option(fc.constantFrom(...sets), { nil: undefined }) });

type Owned = ReturnType<typeof owned.generate>['value'];

const unique = <Item>(items: readonly Item[], key: (item: Item) => string): readonly Item[] => [
  ...new Map(items.map((item) => [key(item), item])).values(),
];

/** The records of a cluster, as AWS would keep them. */
function liveOf(records: readonly Owned[]): LiveRecords {
  return {
    holds: records.flatMap(({ record: { kind, ...one }, set }) =>
      kind === 'hold' ? [{ kind: 'hold' as const, hold: { ...one, ...(set && { set }) } as never }] : [],
    ),
    schedules: records.flatMap(({ record: { kind, ...one }, set }) =>
      kind === 'schedule'
        ? [
            {
              kind: 'schedule' as const,
              schedule: { ...one, paused: false, ...(set && { set }) } as never,
              next: undefined,
              problem: undefined,
            },
          ]
        : [],
    ),
  };
}

const declarationsOf = (declared: readonly Declared[], set: string) => ({
  records: declared,
  sets: new Set([set]),
  clusters: [],
});

/** What the records are after some of the steps were carried out. */
function after(records: readonly Owned[], steps: readonly Step[]): readonly Owned[] {
  const byKey = new Map(records.map((one) => [keyOf(one.record), one]));
  for (const step of steps) {
    if (step.action === 'prune') byKey.delete(keyOf(step.record));
    else if (isChange(step) && 'declared' in step) {
      const { at: _at, set, ...one } = step.declared;
      byKey.set(keyOf(step.declared), { record: one as Owned['record'], set: set as Owned['set'] });
    }
  }
  return [...byKey.values()];
}

const declaredIn = (set: string) =>
  fc
    .array(record, { maxLength: 6 })
    .map((all) =>
      unique(all, keyOf).map(
        (one): Declared => ({ ...(one as DeclaredHold | DeclaredSchedule), set, at: 'f:1' }),
      ),
    );

const lives = fc.array(owned, { maxLength: 10 }).map((all) => unique(all, (one) => keyOf(one.record)));

describe('the plan of drover apply', () => {
  it('is nothing after it was carried out, even if it was cut and run again', () => {
    fc.assert(
      fc.property(lives, declaredIn('a'), fc.nat(20), (live, declared, cut) => {
        const declarations = declarationsOf(declared, 'a');
        const first = planApply(declarations, liveOf(live), options);
        fc.pre(first.every(({ action }) => action !== 'refuse'));
        const whole = after(live, first);
        const partly = after(live, first.slice(0, cut));
        const again = after(partly, planApply(declarations, liveOf(partly), options));
        expect(planApply(declarations, liveOf(whole), options).filter(isChange)).toEqual([]);
        expect(new Set(again.map((one) => JSON.stringify(one)))).toEqual(
          new Set(whole.map((one) => JSON.stringify(one))),
        );
      }),
    );
  });

  it('changes no record that the files do not declare and their set does not own', () => {
    fc.assert(
      fc.property(lives, declaredIn('a'), fc.boolean(), (live, declared, force) => {
        const steps = planApply(declarationsOf(declared, 'a'), liveOf(live), { ...options, force });
        const keys = new Set(declared.map(keyOf));
        const before = live.filter((one) => !keys.has(keyOf(one.record)) && one.set !== 'a');
        expect(after(live, steps)).toEqual(expect.arrayContaining([...before]));
      }),
    );
  });

  it('takes nothing from another set without force, and prunes nothing without prune', () => {
    fc.assert(
      fc.property(lives, declaredIn('a'), (live, declared) => {
        const steps = planApply(declarationsOf(declared, 'a'), liveOf(live), { ...options, prune: false });
        const left = new Map(after(live, steps).map((one) => [keyOf(one.record), one.set]));
        for (const { record: one, set } of live) {
          expect(left.has(keyOf(one))).toBe(true);
          if (set !== undefined && set !== 'a') expect(left.get(keyOf(one))).toBe(set);
        }
      }),
    );
  });

  it('refuses a hold whose namesake has just ended, and records that cannot be read', () => {
    const declared: readonly Declared[] = [
      {
        kind: 'hold',
        autoScalingGroupName: 'workers',
        name: 'x',
        nodes: 1,
        until: now + 60_000,
        raiseMaxSize: false,
        set: 'a',
        at: 'f:1',
      },
    ];
    const ended = { ...declared[0], until: now - 1 } as never;
    const actionOf = (live: LiveRecords) => planApply(declarationsOf(declared, 'a'), live, options)[0];
    expect(actionOf({ holds: [{ kind: 'hold', hold: ended }], schedules: [] })).toMatchObject({
      action: 'refuse',
      why: expect.stringContaining('has just ended'),
    });
    const unreadable = {
      kind: 'unreadable' as const,
      autoScalingGroupName: 'workers',
      name: 'x',
      why: 'no JSON',
    };
    expect(actionOf({ holds: [unreadable], schedules: [] })).toMatchObject({
      action: 'refuse',
      why: expect.stringContaining('no JSON'),
    });
  });
});
