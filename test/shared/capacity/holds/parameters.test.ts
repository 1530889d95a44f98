import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { formatFloorRecord, readFloorRecord } from '../../../../shared/capacity/holds/floor-record.ts';
import { formatHold, readHold } from '../../../../shared/capacity/holds/hold.ts';
import {
  groupOfSegment,
  holdPathsOf,
  holdsByGroup,
  holdsIn,
  recordsIn,
  segmentOf,
  strayParameters,
} from '../../../../shared/capacity/holds/parameters.ts';
import { web } from '../pod-holds/fixtures.ts';
import { holdOf, known, recordOf, start } from './fixtures.ts';

const paths = holdPathsOf('prod');

describe('the name of a group in the name of a parameter', () => {
  it('is reversible, has only characters that Parameter Store accepts, and differs for each group', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme', minLength: 1, maxLength: 255 }), (name) => {
        const segment = segmentOf(name);
        expect(segment).toMatch(/^[a-zA-Z0-9_.-]+$/);
        expect(groupOfSegment(segment)).toBe(name);
      }),
    );
  });

  it('is readable if possible', () => {
    expect(segmentOf('prod-workers.a')).toBe('prod-workers.a');
    expect(segmentOf('team/blue_1')).toBe('team_2Fblue_5F1');
  });

  it.each(['', '_', '_2f', '_ZZ', 'a b', '_FF'])('%j is not the name of a group', (segment) => {
    expect(groupOfSegment(segment)).toBeUndefined();
  });
});

describe('the parameter of a hold', () => {
  it('is read back as it was written', () => {
    fc.assert(
      fc.property(
        fc.record({
          nodes: fc.integer({ min: 1, max: 10_000 }),
          until: fc.integer({ min: 0, max: 4_102_444_800_000 }),
          raiseMaxSize: fc.boolean(),
          by: fc.string({ maxLength: 512 }),
        }),
        (wish) => {
          const place = { autoScalingGroupName: 'workers', name: 'sale' };
          const hold = { ...place, ...wish };
          expect(readHold(formatHold(hold), place)).toEqual({ kind: 'hold', hold });
        },
      ),
    );
  });

  it('is read as a hold or as unreadable, and the reason does not quote its content', () => {
    fc.assert(
      fc.property(fc.oneof(fc.string(), fc.json()), (text) => {
        const reading = readHold(text, { autoScalingGroupName: 'workers', name: 'sale' });
        expect(reading.kind === 'hold' || reading.why.length > 0).toBe(true);
      }),
    );
    const secret = readHold('{"version":1,"nodes":"hunter2","until":"hunter2"}', {
      autoScalingGroupName: 'workers',
      name: 'sale',
    });
    expect(JSON.stringify(secret)).not.toContain('hunter2');
  });

  it('is found by group and name; other parameters are ignored', () => {
    const text = formatHold({
      autoScalingGroupName: '',
      name: '',
      nodes: 1,
      until: 0,
      raiseMaxSize: false,
    });
    const found = holdsIn(
      new Map([
        [`${paths.holds}/team_2Fblue/a`, text],
        [`${paths.holds}/team_2Fblue/deeper/a`, text],
        [`${paths.holds}/only-a-group`, text],
        [`${paths.holds}/bad_segment/a`, text],
      ]),
      paths,
    );
    expect(found).toMatchObject([{ hold: { autoScalingGroupName: 'team/blue', name: 'a' } }]);
  });
});

describe('a parameter that is not a hold of a group', () => {
  const below = (...names: readonly string[]) =>
    new Map(names.map((name) => [`${paths.holds}/${name}`, '{}']));

  it('is a problem, with the name that it should have', () => {
    expect(strayParameters(below('workers/sale', 'team_2Fblue/sale'), paths)).toEqual([]);
    expect(strayParameters(below('my_group/sale'), paths)).toEqual([
      `${paths.holds}/my_group/sale is not read as a hold: its name must be ${paths.holds}/GROUP/NAME, and GROUP must be my_5Fgroup if my_group is meant`,
    ]);
    expect(strayParameters(below('sale', 'workers/a/b'), paths)).toEqual([
      `${paths.holds}/sale is not read as a hold: its name must be ${paths.holds}/GROUP/NAME`,
      `${paths.holds}/workers/a/b is not read as a hold: its name must be ${paths.holds}/GROUP/NAME`,
    ]);
  });

  it('is reported only if it is one of the first five', () => {
    const names = Array.from({ length: 30 }, (_, index) => String(index));
    const problems = strayParameters(below(...names), paths);
    expect(problems).toHaveLength(6);
    expect(problems.at(-1)).toBe(`25 more parameters below ${paths.holds} are not read as holds`);
  });
});

describe('the record of a floor', () => {
  it('is read back as it was written', () => {
    const record = recordOf({
      minSize: { base: 2, ours: [6, 8] },
      lacks: [{ nodes: 8, since: start }],
      lost: true,
    });
    expect(readFloorRecord(formatFloorRecord(record))).toEqual({ kind: 'record', record });
  });

  it.each([
    [undefined, { kind: 'none' }],
    ['{"version":2}', { kind: 'newer', version: 2 }],
    ['{"version":1}', { kind: 'unreadable' }],
    ['six', { kind: 'unreadable' }],
  ])('of %j', (text, reading) => {
    expect(readFloorRecord(text)).toMatchObject(reading);
  });

  it('is found by its group', () => {
    const text = formatFloorRecord(recordOf());
    const records = recordsIn(
      new Map([
        [`${paths.floors}/team_2Fblue`, text],
        [`${paths.floors}/bad_segment`, text],
      ]),
      paths,
    );
    expect([...records.keys()]).toEqual(['team/blue']);
  });
});

describe('the holds of a group beside its record', () => {
  it('ask for the nodes that the record remembers if they are for pods', () => {
    const record = known({ pods: { nodes: 7, readAt: start, holds: {} } });
    const holds = [holdOf({ name: 'sale', nodes: 0, pods: web() }), holdOf({ name: 'noon', nodes: 3 })];
    const nodesIn = (records: Parameters<typeof holdsByGroup>[1]) =>
      holdsByGroup(holds, records)
        .get('workers')
        ?.holds.map((one) => one.kind === 'hold' && one.hold.nodes);
    expect(nodesIn(new Map([['workers', record]]))).toEqual([7, 3]);
    expect(nodesIn(new Map())).toEqual([0, 3]);
  });
});
