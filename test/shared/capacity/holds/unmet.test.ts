import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { FloorRecord } from '../../../../shared/capacity/holds/floor-record.ts';
import { unmetOf, unmetReason, withLacks } from '../../../../shared/capacity/holds/unmet.ts';
import type { AutoScalingGroup } from '../../../../shared/groups/group.ts';
import { groupWith } from '../fixtures.ts';
import { holdOf, hour, known, recordOf, start } from './fixtures.ts';

const minute = 60_000;
const quarter = 15 * minute;

/** A group with a number of instances in service. */
const serving = (count: number): AutoScalingGroup =>
  groupWith([...Array.from({ length: count }, () => 'InService'), 'Pending']);

const until = start + 24 * hour;

/** Looks at a group as the passes do: each writes the record that the next one reads. */
function createWatch() {
  let record: FloorRecord = recordOf();
  const lookAt = (
    time: number,
    { asked, inService }: { readonly asked: readonly number[]; readonly inService: number },
  ) => {
    const now = start + time * minute;
    const holds = asked.map((nodes, index) => holdOf({ name: `h${index}`, nodes, until }));
    const seen = { holds, record: { kind: 'record' as const, record } };
    const unmet = unmetOf(serving(inService), seen, now);
    const isNews = unmet !== undefined && !record.unmet;
    record = withLacks({ group: serving(inService), now, ...seen }, record);
    return { unmet, isNews, record };
  };
  return { lookAt };
}

describe('holds that lack nodes', () => {
  const watchFor = (minutes: number, asked: readonly number[], inService: number) => {
    const { lookAt } = createWatch();
    for (let time = 0; time < minutes; time += 1) lookAt(time, { asked, inService });
    return lookAt(minutes, { asked, inService }).unmet;
  };

  it('are unmet 15 minutes after the request, not earlier', () => {
    expect(watchFor(15, [3], 2)).toEqual({ asked: 3, inService: 2, since: start });
    expect(watchFor(14, [3], 2)).toBeUndefined();
    expect(watchFor(15, [2], 2)).toBeUndefined();
    expect(watchFor(15, [], 0)).toBeUndefined();
  });

  it('have 15 minutes for a higher hold too, however long a lower one has had its nodes', () => {
    const { lookAt } = createWatch();
    for (let time = 0; time < 60; time += 1) lookAt(time, { asked: [2], inService: 2 });
    for (let time = 60; time < 75; time += 1)
      expect(lookAt(time, { asked: [2, 4], inService: 2 }).unmet).toBeUndefined();
    expect(lookAt(75, { asked: [2, 4], inService: 3 }).unmet).toEqual({
      asked: 4,
      inService: 3,
      since: start + 60 * minute,
    });
  });

  it('are not unmet while nodes are replaced under them', () => {
    const { lookAt } = createWatch();
    for (let time = 0; time < 120; time += 1) {
      const isReplacing = time % 30 < 10 && time > 30;
      expect(lookAt(time, { asked: [4], inService: isReplacing ? 3 : 4 }).unmet).toBeUndefined();
    }
  });

  it('of which the lower has its nodes at last are not unmet for the higher, which is young', () => {
    const { lookAt } = createWatch();
    for (let time = 0; time < 12; time += 1) lookAt(time, { asked: [2], inService: 1 });
    lookAt(12, { asked: [2, 4], inService: 1 });
    lookAt(14, { asked: [2, 4], inService: 3 });
    expect(lookAt(20, { asked: [2, 4], inService: 3 }).unmet).toBeUndefined();
    expect(lookAt(27, { asked: [2, 4], inService: 3 }).unmet).toMatchObject({
      since: start + 12 * minute,
    });
  });

  it('are unmet for the lower hold although a higher one is young', () => {
    const { lookAt } = createWatch();
    for (let time = 0; time < 15; time += 1) lookAt(time, { asked: [2, 3 + time], inService: 1 });
    const { unmet, record } = lookAt(15, { asked: [2, 40], inService: 1 });
    expect(unmet).toEqual({ asked: 40, inService: 1, since: start });
    expect(record.lacks?.[0]).toEqual({ nodes: 3, since: start });
  });

  it('are notified once, until all nodes are in service, also if another hold asks for more or less', () => {
    const { lookAt } = createWatch();
    const news: number[] = [];
    for (let time = 0; time <= 200; time += 1) {
      const inService = time >= 90 && time < 93 ? 6 : 2;
      const asked = time < 40 ? [6] : time < 60 ? [8] : [4];
      if (lookAt(time, { asked, inService }).isNews) news.push(time);
    }
    expect(news).toEqual([15, 93 + 15]);
  });

  it('are unmet with a time from a clock that was an hour ahead', () => {
    const record = known({ lacks: [{ nodes: 3, since: start + hour }] });
    expect(unmetOf(serving(2), { holds: [holdOf({ nodes: 3 })], record }, start)).toBeDefined();
  });

  it('begin their lack with the first pass of this version, if the record is of an earlier one', () => {
    const holds = [holdOf({ nodes: 3 })];
    for (const record of [known(), { kind: 'none' } as const, { kind: 'newer', version: 2 } as const])
      expect(unmetOf(serving(2), { holds, record }, start)).toBeUndefined();
    expect(unmetOf(serving(2), { holds, record: known({ unmet: true }) }, start)).toBeDefined();
  });

  it('keep a bounded record', () => {
    const { lookAt } = createWatch();
    let length = 0;
    for (let time = 0; time < 200; time += 1)
      length = lookAt(time, { asked: [2 + time], inService: 1 }).record.lacks?.length ?? 0;
    expect(length).toBe(20);
  });
});

describe('a group whose holds', () => {
  it('have ended, or do not count because it counts units, lacks nothing', () => {
    const record = known({ lacks: [{ nodes: 3, since: start - quarter }], unmet: true });
    const ended = { holds: [holdOf({ nodes: 3, until: start })], record };
    expect(unmetOf(serving(2), ended, start)).toBeUndefined();
    const active = { holds: [holdOf({ nodes: 3 })], record };
    expect(unmetOf({ ...serving(2), countsUnits: true }, active, start)).toBeUndefined();
    expect(unmetOf(serving(2), active, start)).toBeDefined();
  });

  it('have an Unhealthy instance lacks it', () => {
    const group = serving(2);
    const instances = group.instances.map((member, index) => ({ ...member, healthy: index > 0 }));
    const record = known({ lacks: [{ nodes: 2, since: start - quarter }] });
    const holds = [holdOf({ nodes: 2 })];
    expect(unmetOf({ ...group, instances }, { holds, record }, start)).toMatchObject({
      asked: 2,
      inService: 1,
    });
  });
});

it('whatever the history, holds are unmet exactly if one number of nodes was asked for and missing in all of the last 15 minutes', () => {
  const look = fc.record({
    asked: fc.integer({ min: 0, max: 6 }),
    inService: fc.integer({ min: 0, max: 6 }),
  });
  fc.assert(
    fc.property(fc.array(look, { minLength: 16, maxLength: 60 }), (looks) => {
      const { lookAt } = createWatch();
      looks.forEach((one, time) => {
        const { unmet, isNews } = lookAt(time, {
          asked: one.asked > 0 ? [one.asked] : [],
          inService: one.inService,
        });
        const recent = looks.slice(Math.max(0, time - 15), time + 1);
        const isShort = recent.length === 16 && recent.every(({ asked, inService }) => inService < asked);
        if (isNews) expect(isShort).toBe(true);
        if (one.inService >= one.asked) expect(unmet).toBeUndefined();
        const isSteady = recent.every(
          ({ asked, inService }) => asked === one.asked && inService === one.inService,
        );
        if (isShort && isSteady) expect(unmet).toBeDefined();
      });
    }),
  );
});

it('the reason names a suspended Launch before the errors of AWS', () => {
  const record = known({ lacks: [{ nodes: 3, since: start - quarter }] });
  const group = { ...serving(2), suspendedProcesses: ['Launch'] };
  const suspended = unmetOf(group, { holds: [holdOf({ nodes: 3 })], record }, start);
  expect(suspended && unmetReason(suspended, ['no capacity'])).toBe(
    'the holds ask for 3 nodes, and 2 are in service; the group suspends Launch; no capacity',
  );
  expect(unmetReason({ asked: 3, inService: 2 }, [])).toBe('the holds ask for 3 nodes, and 2 are in service');
});
